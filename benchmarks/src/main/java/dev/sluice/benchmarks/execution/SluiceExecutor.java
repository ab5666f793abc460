package dev.sluice.benchmarks.execution;

import java.util.concurrent.Executor;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;

/** Sluice with its defaults and the bound given. */
final class SluiceExecutor implements KeyedExecutor {

	private final SequentialLeveledTaskExecutor executor;

	SluiceExecutor(Executor pool, int capacity) {
		this.executor = SequentialLeveledTaskExecutor.builder(pool).queueCapacity(capacity).build();
	}

	@Override
	public void execute(String id, Task task) {
		this.executor.submit(id, Level.NORMAL, task);
	}

	@Override
	public void executeUrgently(String id, Task task) {
		this.executor.submit(id, Level.HIGH, task);
	}

	@Override
	public void close() {
		this.executor.close();
	}

}
