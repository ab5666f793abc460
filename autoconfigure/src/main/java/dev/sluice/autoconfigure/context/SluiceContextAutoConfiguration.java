package dev.sluice.autoconfigure.context;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.TaskDecorator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for the propagation of context: from the thread that receives a
 * message to the thread that handles it, and to the thread that continues a call of a
 * limited method after it has waited. It is the logging context, the security context,
 * for calls the request and, if {@code context-propagation} is on the class path, all
 * values registered with it, such as the trace. All {@link TaskDecorator} beans apply to
 * calls, including beans of the application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnSwitch("sluice.enabled")
public final class SluiceContextAutoConfiguration {

	private static final String LOGGING = "org.slf4j.MDC";

	private static final String SECURITY = "org.springframework.security.core.context.SecurityContextHolder";

	/** Values that libraries have registered. */
	private static final String REGISTERED = "io.micrometer.context.ContextSnapshotFactory";

	/** The observation may write to it, and so comes after it. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	@ConditionalOnClass(name = LOGGING)
	@ConditionalOnMissingBean(name = "sluiceLoggingContextDecorator")
	TaskDecorator sluiceLoggingContextDecorator() {
		return new MdcDecorator();
	}

	@Bean
	@Order(0)
	@ConditionalOnClass(name = REGISTERED)
	@ConditionalOnMissingBean(name = "sluiceContextDecorator")
	TaskDecorator sluiceContextDecorator() {
		return new ContextDecorator();
	}

	@Bean
	@Order(0)
	@ConditionalOnClass(name = SECURITY)
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

	/** The observation may write to it, and so comes after it. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	@ConditionalOnClass(name = LOGGING)
	@ConditionalOnBean(name = ExecutorsConfiguration.WORKERS)
	@ConditionalOnMissingBean(name = "sluiceLoggingContextCustomizer")
	ExecutorCustomizer sluiceLoggingContextCustomizer() {
		return inbound(new MdcDecorator());
	}

	@Bean
	@Order(0)
	@ConditionalOnClass(name = SECURITY)
	@ConditionalOnBean(name = ExecutorsConfiguration.WORKERS)
	@ConditionalOnMissingBean(name = "sluiceSecurityContextCustomizer")
	ExecutorCustomizer sluiceSecurityContextCustomizer() {
		return inbound(new SecurityContextDecorator());
	}

	@Bean
	@Order(0)
	@ConditionalOnClass(name = REGISTERED)
	@ConditionalOnBean(name = ExecutorsConfiguration.WORKERS)
	@ConditionalOnMissingBean(name = "sluiceContextCustomizer")
	ExecutorCustomizer sluiceContextCustomizer() {
		return inbound(new ContextDecorator());
	}

	private static ExecutorCustomizer inbound(TaskDecorator decorator) {
		return (name, builder) -> {
			if (name.equals("inbound")) {
				builder.decorator(decorator);
			}
		};
	}

}
