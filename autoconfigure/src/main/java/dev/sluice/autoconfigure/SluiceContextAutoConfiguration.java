package dev.sluice.autoconfigure;

import dev.sluice.execution.TaskDecorator;
import io.micrometer.context.ContextSnapshotFactory;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of what follows a message from the thread that brings it to the one
 * that handles it: the logging context, and where {@code context-propagation} is there,
 * the trace and the security context.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnBean(name = SluiceWebSocketAutoConfiguration.WORKERS)
public final class SluiceContextAutoConfiguration {

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
		ExecutorCustomizer sluiceLoggingContextCustomizer() {
			return inbound(new MdcDecorator());
		}

	}

	/** What libraries have registered. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextSnapshotFactory.class)
	static class PropagationConfiguration {

		@Bean
		@Order(0)
		ExecutorCustomizer sluiceContextCustomizer() {
			return inbound(new ContextDecorator());
		}

	}

}
