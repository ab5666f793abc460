package dev.sluice.execution;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** One queue whose workers run when an actor says so. */
class StressedQueue {

	final AtomicInteger ran = new AtomicInteger();

	final SequentialLeveledTaskExecutor executor;

	private final Queue<Runnable> workers = new ConcurrentLinkedQueue<>();

	private int inside;

	private volatile boolean overlapped;

	StressedQueue() {
		this.executor = SequentialLeveledTaskExecutor.builder(this.workers::add).maxTasksBeforeYield(1).build();
	}

	LeveledTask<?> submit(Level level) {
		return this.executor.execute("queue", level, this::task);
	}

	/** Runs a task in the place of a worker if the queue is idle. */
	LeveledTask<?> run(Level level) {
		return this.executor.queue("queue").runOrSubmit(level, () -> {
			task();
			return null;
		});
	}

	private void task() {
		this.overlapped |= this.inside++ != 0;
		this.ran.incrementAndGet();
		this.inside--;
	}

	void work() {
		Runnable worker = this.workers.poll();
		if (worker != null) {
			worker.run();
		}
	}

	/** Runs what is left; the number of tasks that ran, negative if any overlapped. */
	int finish() {
		while (!this.workers.isEmpty()) {
			work();
		}
		return this.overlapped ? -this.ran.get() : this.ran.get();
	}

}
