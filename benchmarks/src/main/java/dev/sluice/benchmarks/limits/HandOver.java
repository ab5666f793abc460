package dev.sluice.benchmarks.limits;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;

/**
 * One mutex for which 500 always wait, and one queue in which 500 tasks always wait. Each
 * call and each task has a future, whose dependent makes the next one.
 */
final class HandOver {

	private static final int WAITING = 500;

	private static final int COUNT = 100_000;

	private static final Duration LONG = Duration.ofHours(1);

	private HandOver() {
	}

	/** Nanoseconds a hand-over; fails if they do not come in the order of waiting. */
	static double mutexNanos(Executor completionExecutor) {
		Throttle mutex = ThrottlingManager.builder()
			.completionExecutor(completionExecutor)
			.build()
			.addOrUpdate("mutex", Limit.mutex());
		Permit first = mutex.tryAcquire().permit();
		Line line = new Line(mutex);
		for (int waiter = 0; waiter < WAITING; waiter++) {
			line.join(waiter);
		}
		long start = System.nanoTime();
		first.close();
		line.end.join();
		return (double) (System.nanoTime() - start) / COUNT;
	}

	/** Nanoseconds a task. */
	static double taskNanos(Executor pool) {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool).build();
		TaskQueue queue = executor.queue("queue");
		queue.pause();
		Turn turn = new Turn(executor);
		for (int waiter = 0; waiter < WAITING; waiter++) {
			turn.submit();
		}
		long start = System.nanoTime();
		queue.resume();
		turn.end.join();
		return (double) (System.nanoTime() - start) / COUNT;
	}

	private static final class Line {

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private final Throttle mutex;

		/** Written by the mutex's holder only. */
		private int count;

		Line(Throttle mutex) {
			this.mutex = mutex;
		}

		void join(int waiter) {
			this.mutex.acquire("", 1, LONG).thenAccept((permit) -> {
				if (this.count % WAITING != waiter) {
					this.end.completeExceptionally(new IllegalStateException(
							"Waiter " + waiter + " came when " + this.count % WAITING + " was first"));
				}
				this.count++;
				if (this.count == COUNT) {
					this.end.complete(null);
				}
				if (this.count <= COUNT - WAITING) {
					join(waiter);
				}
				permit.close();
			});
		}

	}

	private static final class Turn {

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private final SequentialLeveledTaskExecutor executor;

		/** Written by the queue's tasks only. */
		private int count;

		Turn(SequentialLeveledTaskExecutor executor) {
			this.executor = executor;
		}

		void submit() {
			this.executor.submit("queue", Level.NORMAL, () -> ++this.count).thenAccept((count) -> {
				if (count == COUNT) {
					this.end.complete(null);
				}
				if (count <= COUNT - WAITING) {
					submit();
				}
			});
		}

	}

}
