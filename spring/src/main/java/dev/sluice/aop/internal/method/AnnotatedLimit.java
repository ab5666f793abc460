package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.LimitType;

/**
 * Content of one annotation of a method, in one form for all three. An attribute that its
 * annotation lacks has the value that stands for none.
 */
record AnnotatedLimit(LimitKind kind, String value, String key, String permits, String owner, Mode mode, LimitType type,
		int limit, String period, int buckets, int capacity, int minLimit, int maxLimit, boolean requireHeld) {

	/** Stands for a number that is not set. */
	static final int UNSET = -1;

	/**
	 * Reads the limits of a method: held ones first, so that no rate is spent in vain.
	 */
	static List<AnnotatedLimit> of(Method method) {
		List<AnnotatedLimit> limits = new ArrayList<>();
		LimitAnnotations.find(method, Semaphore.class).forEach((semaphore) -> limits.add(of(semaphore)));
		LimitAnnotations.find(method, Mutex.class).forEach((mutex) -> limits.add(of(mutex)));
		LimitAnnotations.find(method, Throttled.class).forEach((throttled) -> limits.add(of(throttled)));
		return limits;
	}

	private static AnnotatedLimit of(Throttled annotation) {
		return new AnnotatedLimit(LimitKind.RATE, annotation.value(), annotation.key(), annotation.permits(), "",
				Mode.ACQUIRE_AND_RELEASE, annotation.type(), annotation.limit(), annotation.period(),
				annotation.buckets(), annotation.capacity(), annotation.minLimit(), annotation.maxLimit(), false);
	}

	private static AnnotatedLimit of(Semaphore annotation) {
		return new AnnotatedLimit(LimitKind.SEMAPHORE, annotation.value(), annotation.key(), annotation.permits(),
				annotation.owner(), annotation.mode(), LimitType.SEMAPHORE, annotation.limit(), "", UNSET, UNSET, UNSET,
				UNSET, annotation.requireHeld());
	}

	private static AnnotatedLimit of(Mutex annotation) {
		return new AnnotatedLimit(LimitKind.MUTEX, annotation.value(), annotation.key(), "1", annotation.owner(),
				annotation.mode(), LimitType.MUTEX, UNSET, "", UNSET, UNSET, UNSET, UNSET, annotation.requireHeld());
	}

	/** Tells whether the annotation defines the limit that it names. */
	boolean definesLimit() {
		return this.type == LimitType.MUTEX || this.limit != UNSET || !this.period.isEmpty() || this.buckets != UNSET
				|| this.capacity != UNSET || this.minLimit != UNSET || this.maxLimit != UNSET;
	}

	/** Returns an option of the limit as the annotation has it. */
	Object option(String name) {
		return switch (name) {
			case "limit" -> this.limit;
			case "period" -> this.period;
			case "buckets" -> this.buckets;
			case "capacity" -> this.capacity;
			case "minLimit" -> this.minLimit;
			case "maxLimit" -> this.maxLimit;
			default -> throw new IllegalArgumentException(name);
		};
	}

	@Override
	public String toString() {
		return this.kind.annotation() + "(\"" + this.value + "\")";
	}

}
