package dev.sluice.websocket.endpoint;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

import dev.sluice.websocket.InvalidEndpointException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Check of the dependencies of session constructors, without calling the constructors. A
 * missing dependency stops the start instead of failing the first handshake.
 */
final class EndpointConstructors {

	private final DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

	private final ConfigurableListableBeanFactory beanFactory;

	EndpointConstructors(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Resolves the parameters of the constructor that connections use.
	 * @throws UnsatisfiedDependencyException if one cannot be resolved
	 */
	void check(String beanName, Class<?> type) {
		Constructor<?> constructor = isConstructed(beanName) ? constructor(ClassUtils.getUserClass(type)) : null;
		if (constructor == null) {
			return;
		}
		if (isAbstract(ClassUtils.getUserClass(type))) {
			throw new InvalidEndpointException(type, "It is abstract, and no object can be created for a connection",
					"Annotate a class that is not abstract.");
		}
		for (int i = 0; i < constructor.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(constructor, i);
			DependencyDescriptor descriptor = new DependencyDescriptor(parameter, true);
			descriptor.initParameterNameDiscovery(this.names);
			try {
				this.beanFactory.resolveDependency(descriptor, beanName);
			}
			catch (BeansException ex) {
				throw new UnsatisfiedDependencyException(null, beanName, new InjectionPoint(parameter), ex);
			}
		}
	}

	/** Spring implements methods with {@code @Lookup}. */
	private static boolean isAbstract(Class<?> type) {
		return Modifier.isAbstract(type.getModifiers()) && Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
			.noneMatch((method) -> method.isAnnotationPresent(Lookup.class));
	}

	/** A factory method, a supplier or explicit arguments may not need beans. */
	private boolean isConstructed(String beanName) {
		if (!this.beanFactory.containsBeanDefinition(beanName)) {
			return false;
		}
		BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(beanName);
		return definition.getFactoryMethodName() == null && !definition.hasConstructorArgumentValues()
				&& definition instanceof AbstractBeanDefinition beanDefinition
				&& beanDefinition.getInstanceSupplier() == null;
	}

	private static @Nullable Constructor<?> constructor(Class<?> type) {
		Constructor<?>[] constructors = type.getDeclaredConstructors();
		return (constructors.length == 1) ? constructors[0]
				: Arrays.stream(constructors)
					.filter((constructor) -> constructor.isAnnotationPresent(Autowired.class))
					.findFirst()
					.orElse(null);
	}

}
