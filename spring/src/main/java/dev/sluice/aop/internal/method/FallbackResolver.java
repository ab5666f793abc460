package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;

import dev.sluice.aop.internal.result.SuspendFunctions;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Resolver of the methods that {@code fallback} names. */
record FallbackResolver(@Nullable BeanFactory beans) {

	/**
	 * Returns the fallback of a method, or {@code null} if it has none.
	 */
	@Nullable Fallback resolve(Method method, AnnotationAttribute attribute, MethodAttributes attributes) {
		String name = attributes.text(attribute);
		if (name.isEmpty()) {
			return null;
		}
		int dot = name.lastIndexOf('.');
		if (dot < 0) {
			Method found = find(method, method.getDeclaringClass(), name, attribute);
			if (found.equals(method)) {
				throw attribute.invalid("names the method itself, which would be called in spite of its limits",
						"Name another method.");
			}
			return new Fallback(found, null, SuspendFunctions.parameterCount(method));
		}
		String beanName = name.substring(0, dot);
		BeanFactory factory = this.beans;
		Class<?> type = (factory != null && factory.containsBean(beanName)) ? factory.getType(beanName) : null;
		if (factory == null || type == null) {
			throw attribute.invalid("names the bean '" + beanName + "', which does not exist",
					"Name a method of this class, as in \"later\", or of a bean, as in \"apologies.later\".");
		}
		return new Fallback(find(method, ClassUtils.getUserClass(type), name.substring(dot + 1), attribute),
				() -> factory.getBean(beanName), SuspendFunctions.parameterCount(method));
	}

	private static Method find(Method method, Class<?> type, String name, AnnotationAttribute attribute) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((candidate) -> candidate.getName().equals(name) && fits(method, candidate))
			.max(Comparator.comparingInt(Method::getParameterCount))
			.orElseThrow(() -> attribute.invalid("names no method of " + ClassUtils.getShortName(type) + " that fits",
					"Write '" + signature(method, name) + "'; it may take a ThrottledException after the arguments."));
	}

	private static boolean fits(Method method, Method candidate) {
		if (SuspendFunctions.is(candidate) && !SuspendFunctions.is(method)) {
			return false;
		}
		Class<?>[] given = parameterTypes(method);
		Class<?>[] taken = parameterTypes(candidate);
		boolean exception = taken.length == given.length + 1
				&& taken[given.length].isAssignableFrom(ThrottledException.class);
		if (taken.length != given.length && !exception) {
			return false;
		}
		for (int i = 0; i < given.length; i++) {
			if (!ClassUtils.isAssignable(taken[i], given[i])) {
				return false;
			}
		}
		Class<?> result = SuspendFunctions.resultType(method);
		return result == void.class || ClassUtils.isAssignable(result, SuspendFunctions.resultType(candidate));
	}

	private static Class<?>[] parameterTypes(Method method) {
		return Arrays.copyOf(method.getParameterTypes(), SuspendFunctions.parameterCount(method));
	}

	private static String signature(Method method, String name) {
		return Arrays.stream(parameterTypes(method))
			.map(ClassUtils::getShortName)
			.collect(Collectors.joining(", ",
					ClassUtils.getShortName(SuspendFunctions.resultType(method)) + ' ' + name + '(', ")"));
	}

}
