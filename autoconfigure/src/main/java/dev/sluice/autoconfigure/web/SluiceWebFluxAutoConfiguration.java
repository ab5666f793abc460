package dev.sluice.autoconfigure.web;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.ThrottlingManager;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Auto-configuration for responses to rejected requests in reactive applications.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceThrottlingAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass({ Mono.class, WebExceptionHandler.class })
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnSwitch("sluice.web.enabled")
public final class SluiceWebFluxAutoConfiguration {

	@Bean
	ThrottledWebExceptionHandler sluiceThrottledWebExceptionHandler(ThrottlingManager manager,
			SluiceThrottleProperties limits) {
		return new ThrottledWebExceptionHandler(manager, limits);
	}

	@Bean(defaultCandidate = false)
	@Conditional(OnWebFluxAdviceForAllExceptions.class)
	ThrottledExceptionAdvice sluiceThrottledExceptionAdvice(ThrottledWebExceptionHandler handler) {
		return new ThrottledExceptionAdvice(handler);
	}

}
