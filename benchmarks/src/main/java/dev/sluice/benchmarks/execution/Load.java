package dev.sluice.benchmarks.execution;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Batches of tasks that some producers spread over the ids in rotation. The calling
 * thread is the first producer. The tasks of an id are one object, so that only the
 * contender allocates.
 */
final class Load implements AutoCloseable {

	/** Tasks of a batch; a multiple of every number of queues and of producers. */
	static final int BATCH = 100_000;

	private static final long POLL_NANOS = 50_000;

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final String[] ids;

	private final CountingTask[] tasks;

	private final int producers;

	private final ExecutorService others;

	private int expectedRuns;

	Load(int queues, int producers, long work) {
		this.ids = new String[queues];
		this.tasks = new CountingTask[queues];
		for (int i = 0; i < queues; i++) {
			this.ids[i] = "session-" + i;
			this.tasks[i] = new CountingTask(work);
		}
		this.producers = producers;
		this.others = Executors.newFixedThreadPool(Math.max(1, producers - 1));
	}

	/** Submits one batch and waits until all of it has run. */
	void run(KeyedExecutor executor) {
		int share = BATCH / this.producers;
		CompletableFuture<?>[] ends = new CompletableFuture<?>[this.producers - 1];
		for (int other = 0; other < ends.length; other++) {
			int first = (other + 1) * share;
			ends[other] = CompletableFuture.runAsync(() -> submit(executor, first, share), this.others);
		}
		submit(executor, 0, share);
		CompletableFuture.allOf(ends).join();
		this.expectedRuns += BATCH / this.ids.length;
		awaitRuns();
	}

	private void submit(KeyedExecutor executor, int first, int count) {
		int queue = first % this.ids.length;
		for (int i = 0; i < count; i++) {
			executor.execute(this.ids[queue], this.tasks[queue]);
			if (++queue == this.ids.length) {
				queue = 0;
			}
		}
	}

	private void awaitRuns() {
		long start = System.nanoTime();
		for (CountingTask task : this.tasks) {
			while (task.runs() < this.expectedRuns) {
				LockSupport.parkNanos(POLL_NANOS);
				if (System.nanoTime() - start > PATIENCE_NANOS) {
					throw new IllegalStateException("Tasks were lost");
				}
			}
		}
	}

	@Override
	public void close() {
		this.others.shutdown();
	}

}
