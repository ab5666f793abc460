package dev.sluice.autoconfigure.execution;

import java.time.Duration;
import java.util.concurrent.Executor;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.WorkersCustomizer;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.SluiceOutbound;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * The {@code inbound} and {@code outbound} executors of messages, and the workers that
 * run the tasks of executors.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SluiceExecutionProperties.class)
public class ExecutorsConfiguration {

	/**
	 * The workers. They are no candidate for injection, so that the application's task
	 * executor is still configured and chosen. Customizers and decorators of the
	 * application's executors do not apply to them.
	 */
	public static final String WORKERS = "sluiceTaskExecutor";

	/** The executor of inbound messages, which exists only with sessions. */
	public static final String INBOUND = "sluiceInbound";

	/** The lifecycle has already waited for tasks that could end. */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

	@Bean(name = WORKERS, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = WORKERS)
	ThreadPoolTaskExecutor sluiceTaskExecutor(SluiceExecutionProperties properties,
			ObjectProvider<WorkersCustomizer> customizers) {
		ThreadPoolTaskExecutor workers = new WorkerPool(properties.workers());
		workers.setThreadNamePrefix("sluice-");
		workers.setAcceptTasksAfterContextClose(true);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(workers));
		return workers;
	}

	@Bean(name = WORKERS, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = WORKERS)
	SimpleAsyncTaskExecutor sluiceTaskExecutorVirtualThreads() {
		SimpleAsyncTaskExecutor workers = new SimpleAsyncTaskExecutor("sluice-");
		workers.setVirtualThreads(true);
		return workers;
	}

	/**
	 * Found by its type, because application code submits to a session's turn with it,
	 * but never injected in place of an executor of the application.
	 */
	@Bean
	@Fallback
	@SluiceInbound
	@ConditionalOnMissingBean(name = INBOUND)
	SequentialLeveledTaskExecutor sluiceInbound(@Qualifier(WORKERS) Executor workers,
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
