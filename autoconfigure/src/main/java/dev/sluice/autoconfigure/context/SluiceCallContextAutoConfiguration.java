package dev.sluice.autoconfigure.context;

import dev.sluice.execution.TaskDecorator;
import io.micrometer.context.ContextSnapshotFactory;
import jakarta.servlet.ServletRequest;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Auto-configuration for the propagation of context to the thread that makes a call of a
 * limited method which has waited: the logging context, the security context, the request
 * and, where {@code context-propagation} is there, all that is registered with it. All
 * {@link TaskDecorator} beans are used, those of the application too.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "sluice.enabled", matchIfMissing = true)
public final class SluiceCallContextAutoConfiguration {

	/** The logging context; the observation may write to it, and so comes after it. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MDC.class)
	static class LoggingConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		@ConditionalOnMissingBean(name = "sluiceLoggingContextDecorator")
		TaskDecorator sluiceLoggingContextDecorator() {
			return new MdcDecorator();
		}

	}

	/** Configuration for what libraries have registered. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextSnapshotFactory.class)
	static class PropagationConfiguration {

		@Bean
		@Order(0)
		@ConditionalOnMissingBean(name = "sluiceContextDecorator")
		TaskDecorator sluiceContextDecorator() {
			return new ContextDecorator();
		}

	}

	/** The security context. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolder.class)
	static class SecurityConfiguration {

		@Bean
		@Order(0)
		@ConditionalOnMissingBean(name = "sluiceSecurityContextDecorator")
		TaskDecorator sluiceSecurityContextDecorator() {
			return new SecurityContextDecorator();
		}

	}

	/** The request of a servlet application. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ServletRequest.class, ServletRequestAttributes.class })
	static class RequestConfiguration {

		@Bean
		@Order(0)
		@ConditionalOnMissingBean(name = "sluiceRequestContextDecorator")
		TaskDecorator sluiceRequestContextDecorator() {
			return new RequestContextDecorator();
		}

	}

}
