package dev.sluice.aop.internal.method;

import java.lang.annotation.Annotation;
import java.lang.annotation.Repeatable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * Types that have one of some annotations on themselves or a method, or on a type that
 * they extend. Each bean of an application is asked for, and hardly any of them has one:
 * each class is read once, without a look at what its methods override.
 */
final class LimitedTypes {

	private final Set<Class<? extends Annotation>> annotations;

	private final Set<Class<?>> containers;

	private final Map<Class<?>, Boolean> types = new ConcurrentReferenceHashMap<>();

	private final Map<Class<? extends Annotation>, Boolean> annotationTypes = new ConcurrentReferenceHashMap<>();

	LimitedTypes(Set<Class<? extends Annotation>> annotations) {
		this.annotations = annotations;
		this.containers = annotations.stream()
			.map((annotation) -> annotation.getAnnotation(Repeatable.class))
			.flatMap(Stream::ofNullable)
			.map(Repeatable::value)
			.collect(Collectors.toUnmodifiableSet());
	}

	boolean contains(Class<?> type) {
		Boolean known = this.types.get(type);
		if (known == null) {
			known = read(type);
			this.types.put(type, known);
		}
		return known;
	}

	private boolean read(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, this.annotations)
				&& (type.getSuperclass() != null && contains(type.getSuperclass())
						|| Stream.of(type.getInterfaces()).anyMatch(this::contains) || isAnnotated(type)
						|| hasAnnotatedMethod(type));
	}

	private boolean hasAnnotatedMethod(Class<?> type) {
		for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
			if (isAnnotated(method)) {
				return true;
			}
		}
		return false;
	}

	private boolean isAnnotated(AnnotatedElement element) {
		for (Annotation annotation : element.getDeclaredAnnotations()) {
			if (this.annotationTypes.computeIfAbsent(annotation.annotationType(), (added) -> leadsToOne(annotation))) {
				return true;
			}
		}
		return false;
	}

	private boolean leadsToOne(Annotation annotation) {
		MergedAnnotations all = MergedAnnotations.from(annotation);
		return this.containers.contains(annotation.annotationType())
				|| this.annotations.stream().anyMatch(all::isPresent);
	}

}
