package dev.sluice.autoconfigure;

import dev.sluice.execution.SequentialLeveledTaskExecutor;

/**
 * A bean of this type changes how the executors of messages are built, after the
 * properties have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ExecutorCustomizer {

	/**
	 * Changes one executor.
	 * @param name its name: {@code inbound} or {@code outbound}
	 * @param builder the builder of the executor
	 */
	void customize(String name, SequentialLeveledTaskExecutor.Builder builder);

}
