package dev.sluice.autoconfigure.context;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.websocket.PrincipalContext;
import io.micrometer.context.ContextSnapshotFactory;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Auto-configuration for the propagation of context from the thread that receives a
 * message to the one that handles it: the logging context, the security context and,
 * where {@code context-propagation} is there, the trace. With Spring Security, messages
 * are handled in the name of the session's principal.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnBean(name = ExecutorsConfiguration.WORKERS)
public final class SluiceMessageContextAutoConfiguration {

	private static ExecutorCustomizer inbound(TaskDecorator decorator) {
		return (name, builder) -> {
			if (name.equals("inbound")) {
				builder.decorator(decorator);
			}
		};
	}

	/** The logging context; the observation may write to it, and so comes after it. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MDC.class)
	static class LoggingConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		@ConditionalOnMissingBean(name = "sluiceLoggingContextCustomizer")
		ExecutorCustomizer sluiceLoggingContextCustomizer() {
			return inbound(new MdcDecorator());
		}

	}

	/** The security context. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolder.class)
	static class SecurityConfiguration {

		@Bean
		@Order(0)
		@ConditionalOnMissingBean(name = "sluiceSecurityContextCustomizer")
		ExecutorCustomizer sluiceSecurityContextCustomizer() {
			return inbound(new SecurityContextDecorator());
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnBooleanProperty(name = "sluice.websocket.security-context", matchIfMissing = true)
		PrincipalContext sluicePrincipalContext() {
			return new SecurityPrincipalContext();
		}

	}

	/** Configuration for what libraries have registered. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextSnapshotFactory.class)
	static class PropagationConfiguration {

		@Bean
		@Order(0)
		@ConditionalOnMissingBean(name = "sluiceContextCustomizer")
		ExecutorCustomizer sluiceContextCustomizer() {
			return inbound(new ContextDecorator());
		}

	}

}
