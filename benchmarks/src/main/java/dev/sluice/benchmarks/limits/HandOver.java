package dev.sluice.benchmarks.limits;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.sluice.benchmarks.Rounds;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;

/**
 * One mutex for which some always wait, and one queue in which as many tasks always wait.
 * Each call and each task has a future, whose dependent makes the next one.
 */
final class HandOver {

	static final String MUTEX = "mutex";

	static final String TASK = "a task of one queue, with its future";

	private static final int ROUNDS = 15;

	private static final int COMPLETION_THREADS = 2;

	private static final int COUNT = 100_000;

	private static final Duration LONG = Duration.ofHours(1);

	private HandOver() {
	}

	/** Nanoseconds of both, by turns, after as many turns that do not count. */
	static Rounds rounds(int waiting) {
		Rounds rounds = new Rounds();
		ExecutorService pool = Executors.newFixedThreadPool(COMPLETION_THREADS);
		for (int warmUp = 0; warmUp < ROUNDS; warmUp++) {
			mutexNanos(pool, waiting);
			taskNanos(pool, waiting);
		}
		for (int round = 0; round < ROUNDS; round++) {
			rounds.add(MUTEX, mutexNanos(pool, waiting));
			rounds.add(TASK, taskNanos(pool, waiting));
		}
		pool.shutdown();
		return rounds;
	}

	/** Nanoseconds a hand-over; fails if they do not come in the order of waiting. */
	static double mutexNanos(Executor completionExecutor, int waiting) {
		Throttle mutex = ThrottlingManager.builder()
			.completionExecutor(completionExecutor)
			.build()
			.addOrUpdate("mutex", Limit.mutex(), LimitOptions.builder().maxWaiting(waiting).build());
		Permit first = mutex.tryAcquire().permit();
		Line line = new Line(mutex, waiting);
		for (int waiter = 0; waiter < waiting; waiter++) {
			line.join(waiter);
		}
		long start = System.nanoTime();
		first.close();
		line.end.join();
		return (double) (System.nanoTime() - start) / count(waiting);
	}

	/** Nanoseconds a task. */
	static double taskNanos(Executor pool, int waiting) {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool)
			.queueCapacity(waiting + 1)
			.build();
		TaskQueue queue = executor.queue("queue");
		queue.pause();
		Turn turn = new Turn(executor, waiting);
		for (int waiter = 0; waiter < waiting; waiter++) {
			turn.submit();
		}
		long start = System.nanoTime();
		queue.resume();
		turn.end.join();
		return (double) (System.nanoTime() - start) / count(waiting);
	}

	/** Each waits twice at least. */
	private static int count(int waiting) {
		return Math.max(COUNT, 2 * waiting);
	}

	private static final class Line {

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private final Throttle mutex;

		private final int waiting;

		/** Written by the mutex's holder only. */
		private int count;

		Line(Throttle mutex, int waiting) {
			this.mutex = mutex;
			this.waiting = waiting;
		}

		void join(int waiter) {
			this.mutex.acquire("", 1, LONG).thenAccept((permit) -> {
				if (this.count % this.waiting != waiter) {
					this.end.completeExceptionally(new IllegalStateException(
							"Waiter " + waiter + " came when " + this.count % this.waiting + " was first"));
				}
				this.count++;
				if (this.count == count(this.waiting)) {
					this.end.complete(null);
				}
				if (this.count <= count(this.waiting) - this.waiting) {
					join(waiter);
				}
				permit.close();
			});
		}

	}

	private static final class Turn {

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		private final SequentialLeveledTaskExecutor executor;

		private final int waiting;

		/** Written by the queue's tasks only. */
		private int count;

		Turn(SequentialLeveledTaskExecutor executor, int waiting) {
			this.executor = executor;
			this.waiting = waiting;
		}

		void submit() {
			this.executor.submit("queue", Level.NORMAL, () -> ++this.count).thenAccept((count) -> {
				if (count == count(this.waiting)) {
					this.end.complete(null);
				}
				if (count <= count(this.waiting) - this.waiting) {
					submit();
				}
			});
		}

	}

}
