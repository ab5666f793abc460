package dev.sluice.autoconfigure.web;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.ThrottlingManager;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configuration for responses to rejected requests in servlet applications.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceThrottlingAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnSwitch("sluice.web.enabled")
public final class SluiceWebMvcAutoConfiguration {

	@Bean(defaultCandidate = false)
	ThrottledExceptionResolver sluiceThrottledExceptionResolver(ThrottlingManager manager,
			SluiceThrottleProperties limits, ListableBeanFactory beanFactory) {
		return new ThrottledExceptionResolver(manager, limits, beanFactory);
	}

}
