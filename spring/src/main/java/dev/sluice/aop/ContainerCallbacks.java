package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Methods that a container calls on the object of a bean, without its proxy. */
final class ContainerCallbacks {

	private static final List<String> LIFECYCLE = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private static final Set<String> JAKARTA = Set.of("jakarta.websocket.OnOpen", "jakarta.websocket.OnMessage",
			"jakarta.websocket.OnClose", "jakarta.websocket.OnError");

	private static final String SERVER_ENDPOINT = "jakarta.websocket.server.ServerEndpoint";

	private ContainerCallbacks() {
	}

	/** Returns whether a method is called once, to create a bean. */
	static boolean createsSingleton(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return annotations.isPresent(Bean.class) && isSingleton(annotations);
	}

	/** Returns the reason why a method is not limited, or {@code null} if it is none. */
	static @Nullable String describe(Class<?> type, Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		if (LIFECYCLE.stream().anyMatch(annotations::isPresent)
				|| isOf(InitializingBean.class, "afterPropertiesSet", type, method)
				|| isOf(DisposableBean.class, "destroy", type, method)) {
			return "a callback of the bean's life, which is called without the proxy";
		}
		return (JAKARTA.stream().anyMatch(annotations::isPresent) && isCreatedByContainer(type))
				? "a callback of Jakarta WebSocket, which is called without the proxy" : null;
	}

	private static boolean isSingleton(MergedAnnotations annotations) {
		MergedAnnotation<Scope> scope = annotations.get(Scope.class);
		return !scope.isPresent()
				|| Set.of("", ConfigurableBeanFactory.SCOPE_SINGLETON).contains(scope.getString("scopeName"));
	}

	private static boolean isOf(Class<?> callback, String name, Class<?> type, Method method) {
		return callback.isAssignableFrom(type) && method.getName().equals(name) && method.getParameterCount() == 0;
	}

	/** With a configurator, Spring may create the endpoint, and its proxy is called. */
	private static boolean isCreatedByContainer(Class<?> type) {
		MergedAnnotation<?> endpoint = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).get(SERVER_ENDPOINT);
		return endpoint.isPresent() && endpoint.hasDefaultValue("configurator");
	}

}
