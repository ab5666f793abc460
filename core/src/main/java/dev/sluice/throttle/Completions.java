package dev.sluice.throttle;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;

/** Completes futures on an executor, without recursion if that runs tasks in place. */
final class Completions {

	/*
	 * A completion may close a permit, which completes the next in line, and so on for as
	 * long as the line is. On an executor that runs a task within execute, that would
	 * nest a frame per waiter. So each thread knows whether it is within execute
	 * ("handing") and whether a completion runs there ("running"); a completion that
	 * would start in both is put on the thread's list, which the outermost one works off.
	 * A task that another thread picks up meets neither and starts at once.
	 *
	 * Attacked by LineTests: a line of 20,000 with a direct executor.
	 */

	private final Executor executor;

	private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);

	Completions(Executor executor) {
		this.executor = executor;
	}

	void execute(Runnable completion) {
		Turn turn = this.turns.get();
		boolean nested = turn.handing;
		turn.handing = true;
		try {
			this.executor.execute(() -> run(completion));
		}
		catch (RejectedExecutionException ex) {
			// A permit that was handed over must reach its owner.
			ForkJoinPool.commonPool().execute(completion);
		}
		finally {
			turn.handing = nested;
		}
	}

	private void run(Runnable completion) {
		Turn turn = this.turns.get();
		if (!turn.handing) {
			completion.run();
			return;
		}
		turn.waiting.add(completion);
		if (turn.running) {
			return;
		}
		turn.running = true;
		try {
			Runnable next;
			while ((next = turn.waiting.poll()) != null) {
				next.run();
			}
		}
		finally {
			turn.running = false;
		}
	}

	/** What one thread is in the middle of. */
	private static final class Turn {

		private final Deque<Runnable> waiting = new ArrayDeque<>();

		private boolean handing;

		private boolean running;

	}

}
