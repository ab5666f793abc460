package dev.sluice.autoconfigure.websocket;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains which starter keeps an application reactive. */
class ReactiveBeansFailureAnalyzer extends AbstractFailureAnalyzer<ReactiveBeansException> {

	static final String ACTION = "For an application of Spring WebFlux, take the dependency 'dev.sluice:sluice-spring-boot-starter-limits' "
			+ "in place of 'dev.sluice:sluice-spring-boot-starter', which brings Spring MVC. If it is meant to be a servlet "
			+ "application, set 'spring.main.web-application-type' to 'servlet'.";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ReactiveBeansException cause) {
		return new FailureAnalysis(cause.getMessage(), ACTION, cause);
	}

}
