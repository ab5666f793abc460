package dev.sluice.autoconfigure.websocket;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Stops the start of a servlet application that has beans only Spring WebFlux uses, or
 * controllers only it can call: the libraries of the starter made it a servlet
 * application. If the evidence is not conclusive, because WebFlux may be on the class
 * path for its client only, the log names the kind of application. If the application has
 * chosen its kind, nothing is checked.
 */
record ReactiveBeansCheck(Environment environment) implements BeanFactoryPostProcessor {

	private static final String ACTION = "For an application of Spring WebFlux, take the dependency 'dev.sluice:sluice-spring-boot-starter-limits' "
			+ "in place of 'dev.sluice:sluice-spring-boot-starter', which brings Spring MVC. If it is meant to be a servlet "
			+ "application, set 'spring.main.web-application-type' to 'servlet'.";

	private static final Log logger = LogFactory.getLog(ReactiveBeansCheck.class);

	/** Part of Boot's starter for WebFlux applications. */
	private static final String WEBFLUX = "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration";

	/** Types that auto-configurations define in reactive applications only. */
	private static final List<String> TYPES = List.of("org.springframework.web.reactive.HandlerMapping",
			"org.springframework.web.reactive.config.WebFluxConfigurer",
			"org.springframework.web.reactive.function.server.RouterFunction",
			"org.springframework.web.reactive.socket.WebSocketHandler",
			"org.springframework.web.server.WebExceptionHandler", "org.springframework.web.server.WebFilter");

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
		for (String name : beanFactory.getBeanDefinitionNames()) {
			Class<?> type = beanFactory.getType(name, false);
			if (type != null && ReactiveHandlerMethods.has(type)) {
				names.add(name);
			}
		}
		if (!names.isEmpty()) {
			throw new InvalidConfigurationException(
					"This is a servlet application, as Spring MVC is on the class path, "
							+ "but these beans are for Spring WebFlux and would not work: " + String.join(", ", names),
					ACTION);
		}
		if (ClassUtils.isPresent(WEBFLUX, beanFactory.getBeanClassLoader())) {
			logger
				.info("This is a servlet application, as Spring MVC is on the class path together with Spring WebFlux. "
						+ ACTION);
		}
	}

}
