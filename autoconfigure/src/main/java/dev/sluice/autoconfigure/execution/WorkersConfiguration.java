package dev.sluice.autoconfigure.execution;

import dev.sluice.autoconfigure.WorkersCustomizer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The workers that run the tasks of executors. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SluiceExecutionProperties.class)
public class WorkersConfiguration {

	/**
	 * The workers. They are no candidate for injection, so that the application's task
	 * executor is still configured and chosen. Customizers and decorators of the
	 * application's executors do not apply to them.
	 */
	public static final String WORKERS = "sluiceTaskExecutor";

	/** The executor of inbound messages, which exists only with sessions. */
	public static final String INBOUND = "sluiceInbound";

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

}
