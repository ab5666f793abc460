package dev.sluice.autoconfigure.batch;

import java.util.concurrent.Executor;

import dev.sluice.autoconfigure.execution.WorkerPool;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Threads of one batch, so that a slow batch takes no threads from another.
 *
 * @param threads run the tasks of the batch
 * @param shutdown ends the threads
 */
record BatchWorkers(Executor threads, Runnable shutdown) implements Executor {

	/**
	 * Returns threads that are created on demand and end when idle.
	 * @param name the name of the batch
	 * @param maximum how many there may be
	 */
	static BatchWorkers platform(String name, int maximum) {
		WorkerPool pool = new WorkerPool(maximum);
		pool.setThreadNamePrefix(prefix(name));
		pool.initialize();
		return new BatchWorkers(pool, pool::shutdown);
	}

	/** Returns virtual threads, one for each task. */
	static BatchWorkers virtual(String name) {
		SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor(prefix(name));
		threads.setVirtualThreads(true);
		return new BatchWorkers(threads, threads::close);
	}

	/** Differs from the prefix of the threads that handle messages. */
	private static String prefix(String name) {
		return "batch-" + name + '-';
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	void close() {
		this.shutdown.run();
	}

}
