package dev.sluice.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * Types with an annotation of Sluice for application code on themselves or a method, or
 * on a type that they extend. All beans of an application are checked, and few of them
 * have an annotation. Each class is therefore read once, without resolving which methods
 * override others. Spring's own types, which most beans are, are not read.
 *
 * @since 0.1.0
 */
public final class AnnotatedTypes {

	/** The annotations that limit methods. */
	public static final Set<Class<? extends Annotation>> LIMITS = Set.of(Throttled.class, Semaphore.class, Mutex.class);

	private static final Set<Class<? extends Annotation>> ANNOTATIONS = Set.of(Throttled.class, Semaphore.class,
			Mutex.class, WhenThrottled.class, BatchListener.class);

	private static final Method[] NONE = {};

	/** Package of the annotations, some of which are containers of repeated ones. */
	private static final String SLUICE = "dev.sluice.annotation.";

	/** The one annotation of methods that this module does not define. */
	private static final String ON_MESSAGE = "dev.sluice.websocket.OnMessage";

	private static final String SPRING = "org.springframework.";

	/** Package of the sample applications of Spring. */
	private static final String SAMPLES = "org.springframework.samples.";

	private static final Map<Class<?>, Boolean> TYPES = new ConcurrentReferenceHashMap<>();

	private static final Map<Class<? extends Annotation>, Boolean> ANNOTATION_TYPES = new ConcurrentReferenceHashMap<>();

	private AnnotatedTypes() {
	}

	/**
	 * Returns whether it is worth looking for annotations on the methods of a type.
	 * @param type the type, which may be a proxy of another
	 * @return whether it has any annotation of Sluice, itself or by a type that it
	 * extends
	 */
	public static boolean contain(Class<?> type) {
		Boolean known = TYPES.get(type);
		if (known == null) {
			known = read(type);
			TYPES.put(type, known);
		}
		return known;
	}

	private static boolean read(Class<?> type) {
		return !isOfSpring(type) && AnnotationUtils.isCandidateClass(type, ANNOTATIONS)
				&& (type.getSuperclass() != null && contain(type.getSuperclass())
						|| Stream.of(type.getInterfaces()).anyMatch(AnnotatedTypes::contain) || isAnnotated(type)
						|| hasAnnotatedMethod(type));
	}

	/** Most beans are of Spring's types, which have no annotations of this package. */
	private static boolean isOfSpring(Class<?> type) {
		return type.getName().startsWith(SPRING) && !type.getName().startsWith(SAMPLES);
	}

	private static boolean hasAnnotatedMethod(Class<?> type) {
		for (Method method : methods(type)) {
			if (isAnnotated(method)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the methods that a type declares. The methods of a bean that is not created
	 * may have types that are absent; Spring cannot create such a bean.
	 * @param type the type
	 * @return its methods, or none if a type of one of them is absent
	 */
	public static Method[] methods(Class<?> type) {
		try {
			return ReflectionUtils.getDeclaredMethods(type);
		}
		catch (IllegalStateException ex) {
			return NONE;
		}
	}

	private static boolean isAnnotated(AnnotatedElement element) {
		for (Annotation annotation : element.getDeclaredAnnotations()) {
			if (ANNOTATION_TYPES.computeIfAbsent(annotation.annotationType(), (added) -> leadsToOne(annotation))) {
				return true;
			}
		}
		return false;
	}

	private static boolean leadsToOne(Annotation annotation) {
		return MergedAnnotations.from(annotation)
			.stream()
			.map((found) -> found.getType().getName())
			.anyMatch((name) -> name.startsWith(SLUICE) || name.equals(ON_MESSAGE));
	}

}
