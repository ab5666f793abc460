package dev.sluice.autoconfigure.context;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.execution.TaskDecorator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for the propagation of context to the thread that continues a call
 * of a limited method after it has waited: the logging context, the security context, the
 * request and, if {@code context-propagation} is on the class path, all values registered
 * with it. All {@link TaskDecorator} beans apply, including beans of the application.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnSwitch("sluice.enabled")
public final class SluiceCallContextAutoConfiguration {

	/** The observation may write to it, and so comes after it. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	@ConditionalOnClass(name = "org.slf4j.MDC")
	@ConditionalOnMissingBean(name = "sluiceLoggingContextDecorator")
	TaskDecorator sluiceLoggingContextDecorator() {
		return new MdcDecorator();
	}

	/** Values that libraries have registered. */
	@Bean
	@Order(0)
	@ConditionalOnClass(name = "io.micrometer.context.ContextSnapshotFactory")
	@ConditionalOnMissingBean(name = "sluiceContextDecorator")
	TaskDecorator sluiceContextDecorator() {
		return new ContextDecorator();
	}

	@Bean
	@Order(0)
	@ConditionalOnClass(name = "org.springframework.security.core.context.SecurityContextHolder")
	@ConditionalOnMissingBean(name = "sluiceSecurityContextDecorator")
	TaskDecorator sluiceSecurityContextDecorator() {
		return new SecurityContextDecorator();
	}

	/** The request of a servlet application. */
	@Bean
	@Order(0)
	@ConditionalOnClass(name = { "jakarta.servlet.ServletRequest",
			"org.springframework.web.context.request.ServletRequestAttributes" })
	@ConditionalOnMissingBean(name = "sluiceRequestContextDecorator")
	TaskDecorator sluiceRequestContextDecorator() {
		return new RequestContextDecorator();
	}

}
