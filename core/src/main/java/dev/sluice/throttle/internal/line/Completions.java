package dev.sluice.throttle.internal.line;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.internal.FatalErrors;

/** Completions that run on an executor in order, many of them in one task. */
public final class Completions {

	/*
	 * While the queue has a completion, a runner is pending: either called, that is,
	 * submitted to the executor and not started, or started and about to poll. Each
	 * addition calls a runner, and so does a runner that polls a completion and leaves
	 * others in the queue. A completion may therefore block, or wait for the next one,
	 * without delaying the others.
	 *
	 * If a completion adds another one by closing its permit, its own runner polls it
	 * after the completion has returned, usually long before the runner called for it,
	 * the "reserve", has woken up. If a reserve finds an empty queue, or many completions
	 * were polled while it started, later reserves start after a delay, so that a chain
	 * of hand-overs of any length costs one timer at a time. This prevents other threads
	 * from polling out of a brisk chain, whose objects they would have to fetch from the
	 * cache of the first thread's processor. Otherwise later reserves start immediately.
	 *
	 * An executor may run a task within execute, "in place". Each completion that closes
	 * a permit would then nest a stack frame, so that completions added there are left to
	 * the enclosing runner. Each thread records whether it is in execute ("calling"), in
	 * a runner ("running"), and in a runner that runs in place.
	 *
	 * A permit that was handed over must reach its owner, even if the executor fails. If
	 * the executor throws, the common pool runs the runner. If a runner does not start
	 * for some time, because the executor is busy or has dropped it, another one is
	 * submitted; a surplus runner finds an empty queue. One timer checks this, and only
	 * while a runner is pending.
	 *
	 * Attacked by LineTests and CompletionsTests.
	 */

	/** Time after which a runner yields the thread to others. */
	private static final long TURN_NANOS = 1_000_000;

	/** Number of completions after which a runner checks its time. */
	private static final int BATCH = 128;

	private static final int DELAY_MILLIS = 1;

	/**
	 * Number of completions polled during the start of a reserve that make a chain brisk.
	 */
	private static final int BRISK = 32;

	/** Maximum time for a called runner to start. */
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
	 * Approximate number of polled completions, as runners are not synchronized.
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

	/** Calls another runner if none has started after a delay. */
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
			FatalErrors.passOn(ex);
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
