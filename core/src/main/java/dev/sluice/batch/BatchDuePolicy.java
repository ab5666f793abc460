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
	 * A timer stands only while something waits that no batch takes. Each turn that
	 * leaves items behind notes until when the oldest of them may wait; a timer that was
	 * set for an earlier one ends too early and is set again, so that a busy slot moves
	 * its timer once an interval and not once a batch. Used in turns only.
	 */

	private final NanoClock clock;

	private final int batchSize;

	private final long intervalNanos;

	private final Runnable onElapsed;

	private @Nullable ClockTimer timer;

	/** Until when the item behind position "deadlineAt" may wait. */
	private long deadline;

	private int deadlineAt;

	/** Items up to this position go out in batches that are not full, too. */
	private int flushTo;

	BatchDuePolicy(NanoClock clock, int batchSize, long intervalNanos, Runnable onElapsed) {
		this.clock = clock;
		this.batchSize = batchSize;
		this.intervalNanos = intervalNanos;
		this.onElapsed = onElapsed;
	}

	/**
	 * Returns whether a batch is due of the items behind a position, up to another one.
	 */
	boolean isDue(int taken, int end, boolean sealed) {
		int waiting = end - taken;
		return waiting >= this.batchSize || (waiting > 0 && (this.flushTo - taken > 0 || sealed));
	}

	/** Lets all go out that wait now, if the interval of the oldest item has passed. */
	void look(int newest) {
		if (hasElapsed()) {
			this.flushTo = newest;
		}
	}

	/**
	 * Waits for more than the items that a turn leaves, which are too few to be due.
	 * @return the position of the item that makes the next look necessary
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

	/** Bounds the time of the item behind a position, from the turn that leaves it. */
	private void start(int taken) {
		if (this.timer == null || this.deadlineAt != taken) {
			this.deadlineAt = taken;
			this.deadline = this.clock.nanoTime() + this.intervalNanos;
		}
		if (this.timer == null) {
			this.timer = startTimer();
		}
	}

	/** Returns whether the interval of the oldest item has passed; tells so once. */
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
