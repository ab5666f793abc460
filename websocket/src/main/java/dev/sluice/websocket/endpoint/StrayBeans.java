package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.sluice.annotation.AnnotatedTypes;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Report of beans that use the types of sessions without effect: a session class without
 * a path, a method for messages outside a session class, and a bean that has a session
 * injected. Only types are inspected: no bean is created for it.
 */
final class StrayBeans {

	private static final Log logger = LogFactory.getLog(StrayBeans.class);

	private static final String SPRING = "org.springframework.";

	private final ConfigurableListableBeanFactory beanFactory;

	private final Set<String> endpoints;

	/**
	 * Creates the report.
	 * @param endpoints names of the beans that serve a path
	 */
	StrayBeans(ConfigurableListableBeanFactory beanFactory, Set<String> endpoints) {
		this.beanFactory = beanFactory;
		this.endpoints = endpoints;
	}

	void report() {
		this.endpoints.forEach(this::reportInjection);
		List<String> sessions = List.of(this.beanFactory.getBeanNamesForType(ManagedSession.class, true, false));
		sessions.stream()
			.filter((name) -> !this.endpoints.contains(name))
			.forEach((name) -> logger.warn("Bean '" + name + "' of type " + this.beanFactory.getType(name, false)
					+ " is a session, and has no path. Annotate its class with @WebSocketEndpoint"));
		for (String name : this.beanFactory.getBeanDefinitionNames()) {
			if (!sessions.contains(name) && !ScopedProxyUtils.isScopedTarget(name)) {
				reportMethods(name);
			}
		}
	}

	/** A prototype that is injected is another object than those of connections. */
	private void reportInjection(String endpoint) {
		Stream.of(this.beanFactory.getDependentBeans(endpoint))
			.filter((name) -> !this.endpoints.contains(name))
			.forEach((name) -> logger.warn("Bean '" + name + "' has the session '" + endpoint
					+ "' injected, which has no connection. Inject WebSocketSessionManager, and find the sessions of "
					+ "clients with it"));
	}

	private void reportMethods(String name) {
		Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, name);
		Class<?> inspected = (type != null) ? ClassUtils.getUserClass(type) : null;
		if (inspected == null || !AnnotatedTypes.contain(inspected)) {
			return;
		}
		while (inspected != null && inspected != Object.class && !inspected.getName().startsWith(SPRING)
				&& AnnotationUtils.isCandidateClass(inspected, OnMessage.class)) {
			for (Method method : AnnotatedTypes.methods(inspected)) {
				if (isForMessages(method)) {
					logger.warn("Method " + ClassUtils.getQualifiedMethodName(method) + " of bean '" + name
							+ "' has @OnMessage and is not called. Its class must extend ManagedSession and have "
							+ "@WebSocketEndpoint");
				}
			}
			inspected = inspected.getSuperclass();
		}
	}

	private static boolean isForMessages(Method method) {
		return Arrays.stream(method.getAnnotations())
			.anyMatch((annotation) -> annotation.annotationType() == OnMessage.class
					|| !AnnotationUtils.isInJavaLangAnnotationPackage(annotation.annotationType().getName())
							&& MergedAnnotations.from(annotation).isPresent(OnMessage.class));
	}

}
