package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.concurrent.Executor;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.execution.WorkersConfiguration;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.SluiceOutbound;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The {@code inbound} and {@code outbound} executors of messages. */
@Configuration(proxyBeanMethods = false)
@Import(WorkersConfiguration.class)
class ExecutorsConfiguration {

	/** The lifecycle has already waited for tasks that could end. */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * Found by its type, because application code submits to a session's turn with it,
	 * but never injected in place of an executor of the application.
	 */
	@Bean
	@Fallback
	@SluiceInbound
	@ConditionalOnMissingBean(name = WorkersConfiguration.INBOUND)
	SequentialLeveledTaskExecutor sluiceInbound(@Qualifier(WorkersConfiguration.WORKERS) Executor workers,
			SluiceExecutionProperties properties, ObjectProvider<ExecutorCustomizer> customizers) {
		SequentialLeveledTaskExecutor.Builder builder = properties.builder(workers).closeTimeout(CLOSE_TIMEOUT);
		if (workers instanceof ThreadPoolTaskExecutor pool) {
			builder.maxConcurrency(pool.getMaxPoolSize());
		}
		return build("inbound", builder, customizers);
	}

	/**
	 * Its tasks only start to send, so they run on the sending thread; its queues are
	 * bounded by bytes, not by messages.
	 */
	@Bean(defaultCandidate = false)
	@Fallback
	@SluiceOutbound
	@ConditionalOnMissingBean(name = "sluiceOutbound")
	SequentialLeveledTaskExecutor sluiceOutbound(ObjectProvider<ExecutorCustomizer> customizers) {
		return build("outbound",
				SequentialLeveledTaskExecutor.builder(Runnable::run)
					.queueCapacity(Integer.MAX_VALUE)
					.closeTimeout(CLOSE_TIMEOUT)
					.recordWaits(true),
				customizers);
	}

	private static SequentialLeveledTaskExecutor build(String name, SequentialLeveledTaskExecutor.Builder builder,
			ObjectProvider<ExecutorCustomizer> customizers) {
		customizers.orderedStream().forEach((customizer) -> customizer.customize(name, builder));
		return builder.build();
	}

}
