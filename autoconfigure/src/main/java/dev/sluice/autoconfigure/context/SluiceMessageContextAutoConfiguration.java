package dev.sluice.autoconfigure.context;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.execution.WorkersConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.websocket.PrincipalContext;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration for the propagation of context from the thread that receives a
 * message to the thread that handles it: the logging context, the security context and,
 * if {@code context-propagation} is on the class path, the trace. With Spring Security,
 * messages are handled in the name of the session's principal.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnBean(name = WorkersConfiguration.WORKERS)
public final class SluiceMessageContextAutoConfiguration {

	private static final String SECURITY = "org.springframework.security.core.context.SecurityContextHolder";

	/** The observation may write to it, and so comes after it. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	@ConditionalOnClass(name = "org.slf4j.MDC")
	@ConditionalOnMissingBean(name = "sluiceLoggingContextCustomizer")
	ExecutorCustomizer sluiceLoggingContextCustomizer() {
		return inbound(new MdcDecorator());
	}

	@Bean
	@Order(0)
	@ConditionalOnClass(name = SECURITY)
	@ConditionalOnMissingBean(name = "sluiceSecurityContextCustomizer")
	ExecutorCustomizer sluiceSecurityContextCustomizer() {
		return inbound(new SecurityContextDecorator());
	}

	@Bean
	@ConditionalOnClass(name = SECURITY)
	@ConditionalOnMissingBean
	@ConditionalOnSwitch("sluice.websocket.security-context")
	PrincipalContext sluicePrincipalContext() {
		return new SecurityPrincipalContext();
	}

	/** Values that libraries have registered. */
	@Bean
	@Order(0)
	@ConditionalOnClass(name = "io.micrometer.context.ContextSnapshotFactory")
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
