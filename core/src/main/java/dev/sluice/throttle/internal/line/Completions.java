package dev.sluice.throttle.internal.line;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Completions that run on an executor, in order, many in one of its tasks. */
public final class Completions {

	/*
	 * Whenever a completion is in the queue, a runner is on its way to it: called, that
	 * is, handed to the executor and not started; or started and about to poll. Whoever
	 * adds one calls a runner, and so does a runner that takes one and leaves some
	 * behind. So a completion may block, or wait for the next in line, and holds up
	 * nobody.
	 *
	 * What a completion adds, by closing its permit, its own runner takes when the
	 * completion has returned, usually long before the runner called for it, the
	 * "reserve", has woken up. A reserve that finds nothing, or that many were taken
	 * while it came, lets the next ones come after a delay: one timer a while for a chain
	 * of hand-overs, however long. So no other thread takes one out of a brisk chain,
	 * whose objects it would all have to fetch from the first one's processor. A reserve
	 * that finds something else lets the next ones come at once.
	 *
	 * An executor may run a task within execute, "in place". Then each completion that
	 * closes a permit would nest a frame, so what is added there is left to the runner
	 * below. Each thread knows whether it is in execute ("calling"), in a runner
	 * ("running"), and in one that runs in place.
	 *
	 * A permit that was handed over must reach its owner, whatever the executor does. If
	 * it throws, the common pool runs the runner. If a runner has not started a while
	 * after it was called, because the executor is busy or has dropped it, the executor
	 * is given another one; a runner too many finds nothing. One timer looks after that,
	 * and only as long as a runner is on its way.
	 *
	 * Attacked by LineTests and CompletionsTests.
	 */

	/** How long a runner may go on before others may have the thread. */
	private static final long TURN_NANOS = 1_000_000;

	/** Completions after which a runner looks whether its time is over. */
	private static final int BATCH = 128;

	private static final int DELAY_MILLIS = 1;

	/** Completions, taken while a reserve comes, that make a chain brisk. */
	private static final int BRISK = 32;

	/** How long a runner that was called may take to start. */
	private static final int PATIENCE_MILLIS = 1_000;

	private final Executor executor;

	private final Executor delayed;

	private final Executor later = CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);

	private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean runnerCalled = new AtomicBoolean();

	private final AtomicBoolean reserveCalled = new AtomicBoolean();

	private final AtomicBoolean watched = new AtomicBoolean();

	/** Counts the runners that have started. */
	private final AtomicInteger started = new AtomicInteger();

	/**
	 * Counts the completions that were taken, about: runners do not wait for each other.
	 */
	private final AtomicInteger taken = new AtomicInteger();

	private volatile boolean delayReserve;

	private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);

	public Completions(Executor executor) {
		this.executor = executor;
		this.delayed = CompletableFuture.delayedExecutor(DELAY_MILLIS, TimeUnit.MILLISECONDS, this::execute);
	}

	public void add(Runnable completion) {
		this.queue.add(completion);
		Turn turn = this.turns.get();
		if (!turn.running) {
			callRunner();
		}
		else if (!turn.inPlace) {
			callReserve();
		}
	}

	private void callRunner() {
		if (!this.runnerCalled.get() && this.runnerCalled.compareAndSet(false, true)) {
			execute(this::startRunner);
			if (this.runnerCalled.get() && this.watched.compareAndSet(false, true)) {
				watch();
			}
		}
	}

	private void startRunner() {
		this.started.incrementAndGet();
		this.runnerCalled.set(false);
		run();
	}

	/** Calls another runner after a while if none has started by then. */
	private void watch() {
		int before = this.started.get();
		this.later.execute(() -> {
			if (this.queue.isEmpty()) {
				this.watched.set(false);
				if (!this.queue.isEmpty() && this.watched.compareAndSet(false, true)) {
					watch();
				}
				return;
			}
			if (this.started.get() == before) {
				execute(this::startRunner);
			}
			watch();
		});
	}

	private void callReserve() {
		if (!this.reserveCalled.get() && this.reserveCalled.compareAndSet(false, true)) {
			int before = this.taken.getPlain();
			Runnable reserve = () -> startReserve(before);
			if (this.delayReserve) {
				this.delayed.execute(reserve);
			}
			else {
				execute(reserve);
			}
		}
	}

	private void startReserve(int before) {
		this.reserveCalled.set(false);
		boolean brisk = this.taken.getPlain() - before >= BRISK;
		this.delayReserve = brisk || this.queue.isEmpty();
		if (!brisk) {
			run();
		}
		else if (!this.queue.isEmpty()) {
			callReserve();
		}
	}

	private void execute(Runnable runner) {
		Turn turn = this.turns.get();
		boolean nested = turn.calling;
		int startedHere = turn.started;
		turn.calling = true;
		try {
			this.executor.execute(runner);
		}
		catch (Throwable ex) {
			if (turn.started != startedHere) {
				// A completion has thrown, in place.
				throw ex;
			}
			ForkJoinPool.commonPool().execute(runner);
		}
		finally {
			turn.calling = nested;
		}
	}

	private void run() {
		Turn turn = this.turns.get();
		turn.started++;
		if (turn.inPlace) {
			return;
		}
		boolean nested = turn.running;
		turn.running = true;
		turn.inPlace = turn.calling;
		try {
			complete(turn.inPlace);
		}
		finally {
			turn.running = nested;
			turn.inPlace = false;
			if (!this.queue.isEmpty()) {
				callRunner();
			}
		}
	}

	private void complete(boolean all) {
		long start = System.nanoTime();
		int left = BATCH;
		Runnable completion;
		while (left > 0 && (completion = this.queue.poll()) != null) {
			this.taken.setPlain(this.taken.getPlain() + 1);
			if (!this.queue.isEmpty()) {
				callRunner();
			}
			completion.run();
			left--;
			if (left == 0 && (all || System.nanoTime() - start < TURN_NANOS)) {
				left = BATCH;
			}
		}
	}

	/** Completion that a thread is running. */
	private static final class Turn {

		private boolean calling;

		private boolean running;

		private boolean inPlace;

		/** Counts the runners that this thread has started. */
		private int started;

	}

}
