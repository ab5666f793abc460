package dev.sluice.autoconfigure;

import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Callback to customize the thread pool whose threads handle messages, after the
 * properties have been applied. Customizers of the application's own executors are not
 * applied to it. With virtual threads there is no such pool.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WorkersCustomizer {

	/**
	 * Customizes the pool before it is initialized.
	 * @param workers the pool to customize
	 */
	void customize(ThreadPoolTaskExecutor workers);

}
