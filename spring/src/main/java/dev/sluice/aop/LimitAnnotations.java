package dev.sluice.aop;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Finds the annotations that limit a method: those on the method or on what it overrides,
 * whichever is nearest, else those on the type that declares it.
 */
final class LimitAnnotations {

	static final Set<Class<? extends Annotation>> TYPES = Set.of(Throttled.class, Semaphore.class, Mutex.class);

	private LimitAnnotations() {
	}

	/** Tells whether any of the annotations limits the method. */
	static boolean present(Method method) {
		return TYPES.stream().anyMatch((type) -> !find(method, type).isEmpty());
	}

	/** Returns the annotations of one type, in their order in the source. */
	static <A extends Annotation> List<A> find(Method method, Class<A> type) {
		List<A> found = nearest(method, type);
		if (found.isEmpty() && Modifier.isPublic(method.getModifiers())) {
			found = nearest(method.getDeclaringClass(), type);
		}
		return found;
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
