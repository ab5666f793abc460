package dev.sluice.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Stops the start of a servlet application with beans that only Spring WebFlux uses: it
 * has become one by the libraries that come with the starter. Nothing is looked at where
 * the application has chosen its kind.
 */
final class ReactiveBeansCheck implements BeanFactoryPostProcessor {

	/** Auto-configurations define them in reactive applications only. */
	private static final List<String> TYPES = List.of("org.springframework.web.reactive.HandlerMapping",
			"org.springframework.web.reactive.config.WebFluxConfigurer",
			"org.springframework.web.reactive.function.server.RouterFunction",
			"org.springframework.web.reactive.socket.WebSocketHandler",
			"org.springframework.web.server.WebExceptionHandler", "org.springframework.web.server.WebFilter");

	private final Environment environment;

	ReactiveBeansCheck(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (this.environment.containsProperty("spring.main.web-application-type")) {
			return;
		}
		Set<String> names = new TreeSet<>();
		for (String type : TYPES) {
			if (ClassUtils.isPresent(type, beanFactory.getBeanClassLoader())) {
				Class<?> resolved = ClassUtils.resolveClassName(type, beanFactory.getBeanClassLoader());
				names.addAll(List.of(beanFactory.getBeanNamesForType(resolved, true, false)));
			}
		}
		if (!names.isEmpty()) {
			throw new ReactiveBeansException(names);
		}
	}

}
