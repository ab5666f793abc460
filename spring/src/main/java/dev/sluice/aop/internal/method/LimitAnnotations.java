package dev.sluice.aop.internal.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

import dev.sluice.annotation.AnnotatedTypes;
import dev.sluice.annotation.WhenThrottled;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Finder of the annotations of a limited method. The nearest annotation on the method or
 * on a method it overrides applies, and otherwise one on the type that declares it.
 */
public final class LimitAnnotations {

	private LimitAnnotations() {
	}

	/** Returns whether the method has limits. */
	public static boolean present(Method method) {
		return AnnotatedTypes.LIMITS.stream().anyMatch((type) -> !find(method, type).isEmpty());
	}

	/**
	 * Returns whether the method is limited, or has an annotation that configures
	 * throttled calls.
	 */
	public static boolean anyPresent(Method method) {
		return present(method) || !nearest(method, WhenThrottled.class).isEmpty();
	}

	/** Returns the limits of one kind, in their order in the source. */
	static <A extends Annotation> List<A> find(Method method, Class<A> type) {
		List<A> found = nearest(method, type);
		if (found.isEmpty() && isMeantByTypes(method)) {
			found = nearest(method.getDeclaringClass(), type);
		}
		return found;
	}

	/** Returns whether the method itself, not only its type, carries a limit. */
	public static boolean carried(Method method) {
		return AnnotatedTypes.LIMITS.stream().anyMatch((type) -> !nearest(method, type).isEmpty());
	}

	private static boolean isMeantByTypes(Method method) {
		return !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method);
	}

	/**
	 * Returns the annotation that configures calls without a permit, or {@code null} if
	 * the method has none.
	 */
	static @Nullable WhenThrottled whenThrottled(Method method) {
		List<WhenThrottled> found = nearest(method, WhenThrottled.class);
		if (found.isEmpty()) {
			found = nearest(method.getDeclaringClass(), WhenThrottled.class);
		}
		return found.isEmpty() ? null : found.get(0);
	}

	/** Returns whether all attempts of a retried method are one call. */
	public static boolean strict(Method method, boolean otherwise) {
		WhenThrottled annotation = whenThrottled(method);
		return otherwise || annotation != null && annotation.strict();
	}

	private static <A extends Annotation> List<A> nearest(AnnotatedElement element, Class<A> type) {
		List<MergedAnnotation<A>> found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
			.stream(type)
			.toList();
		return found.stream()
			.filter((annotation) -> annotation.getAggregateIndex() == found.get(0).getAggregateIndex())
			.map(MergedAnnotation::synthesize)
			.toList();
	}

}
