package dev.sluice.batch;

import dev.sluice.internal.ClockTimer;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Policy that decides when a batch of a slot is due: when it is full, when the oldest
 * item has waited for the interval, or when the slot takes no more items.
 */
final class BatchDuePolicy {

	/*
	 * A timer runs only while items wait that no batch takes. Each turn that leaves items
	 * stores until when the oldest of them may wait. A timer that was set for an earlier
	 * item ends too early and is set again, so a busy slot sets its timer once an
	 * interval and not once a batch. Used in turns only.
	 */

	private final NanoClock clock;

	private final int batchSize;

	private final long intervalNanos;

	private final Runnable onElapsed;

	private @Nullable ClockTimer timer;

	/** Time until which the item after position "deadlineAt" may wait. */
	private long deadline;

	private int deadlineAt;

	/** Items up to this position are passed on in batches that may not be full. */
	private int flushTo;

	BatchDuePolicy(NanoClock clock, int batchSize, long intervalNanos, Runnable onElapsed) {
		this.clock = clock;
		this.batchSize = batchSize;
		this.intervalNanos = intervalNanos;
		this.onElapsed = onElapsed;
	}

	/**
	 * Returns whether a batch of the items after a position, up to another one, is due.
	 */
	boolean isDue(int taken, int end, boolean sealed) {
		int waiting = end - taken;
		return waiting >= this.batchSize || (waiting > 0 && (this.flushTo - taken > 0 || sealed));
	}

	/** Makes all waiting items due if the interval of the oldest one has passed. */
	void look(int newest) {
		if (hasElapsed()) {
			this.flushTo = newest;
		}
	}

	/**
	 * Waits for more items: the items that remain after a turn are too few to be due.
	 * @return the position of the item that makes the next turn necessary
	 */
	int await(int taken, int newest) {
		this.flushTo = taken;
		if (newest == taken) {
			cancel();
			return taken + 1;
		}
		start(taken);
		return taken + this.batchSize;
	}

	void cancel() {
		if (this.timer != null) {
			this.timer.cancel();
			this.timer = null;
		}
	}

	/** Starts the interval of the item after a position, when a turn leaves it. */
	private void start(int taken) {
		if (this.timer == null || this.deadlineAt != taken) {
			this.deadlineAt = taken;
			this.deadline = this.clock.nanoTime() + this.intervalNanos;
		}
		if (this.timer == null) {
			this.timer = startTimer();
		}
	}

	/** Returns, once, that the interval of the oldest item has passed. */
	private boolean hasElapsed() {
		if (this.timer == null || !this.timer.hasElapsed()) {
			return false;
		}
		boolean elapsed = this.deadline - this.clock.nanoTime() <= 0;
		this.timer = elapsed ? null : startTimer();
		return elapsed;
	}

	private ClockTimer startTimer() {
		ClockTimer started = new ClockTimer(this.deadline, (timer) -> this.onElapsed.run());
		started.start(this.clock);
		return started;
	}

}
