package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.LimitType;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotationUtils;

/**
 * Content of one annotation of a method, in one form for all three. An attribute that the
 * annotation does not have has the default of the other annotations.
 *
 * @param kind the kind of limit that the annotation requires
 * @param attributes the attributes by name
 */
record AnnotatedLimit(LimitKind kind, Map<String, @Nullable Object> attributes) {

	/** Stands for a number that is not set. */
	static final int UNSET = -1;

	/** The attributes that define the limit. */
	static final List<String> OPTIONS = List.of("limit", "period", "buckets", "capacity", "minLimit", "maxLimit");

	/**
	 * Reads the limits of a method, held limits first, so that no permit of a rate is
	 * wasted.
	 */
	static List<AnnotatedLimit> of(Method method) {
		return Stream.of(LimitKind.SEMAPHORE, LimitKind.MUTEX, LimitKind.RATE)
			.flatMap((kind) -> LimitAnnotations.find(method, kind.annotationType())
				.stream()
				.map((annotation) -> new AnnotatedLimit(kind, AnnotationUtils.getAnnotationAttributes(annotation))))
			.toList();
	}

	/** Returns an attribute as written in the annotation. */
	Object get(String name) {
		Object value = this.attributes.get(name);
		if (value == null) {
			value = AnnotationUtils.getDefaultValue(Throttled.class, name);
		}
		return (value != null) ? value : Objects.requireNonNull(AnnotationUtils.getDefaultValue(Semaphore.class, name));
	}

	/** Returns whether an option of the limit is set. */
	boolean isSet(String option) {
		return !Set.<Object>of(UNSET, "").contains(get(option));
	}

	/** Returns whether the annotation defines the limit that it names. */
	boolean definesLimit() {
		return this.kind == LimitKind.MUTEX || OPTIONS.stream().anyMatch(this::isSet);
	}

	LimitType type() {
		return (this.kind == LimitKind.RATE) ? (LimitType) get("type") : LimitType.valueOf(this.kind.name());
	}

	Mode mode() {
		return (Mode) get("mode");
	}

	boolean requireHeld() {
		return (boolean) get("requireHeld");
	}

	@Override
	public String toString() {
		return this.kind.annotation() + "(\"" + get("value") + "\")";
	}

}
