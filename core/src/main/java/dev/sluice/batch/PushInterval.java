package dev.sluice.batch;

import dev.sluice.internal.ClockTimer;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Bound on the time for which the oldest item of a slot waits for a full batch. */
final class PushInterval {

	/*
	 * A timer stands only while something waits that no batch takes. Each turn that
	 * leaves items behind notes until when the oldest of them may wait; a timer that was
	 * set for an earlier one ends too early and is set again, so that a busy slot moves
	 * its timer once an interval and not once a batch. Used in turns only.
	 */

	private final NanoClock clock;

	private final long intervalNanos;

	private final Runnable onElapsed;

	private @Nullable ClockTimer timer;

	/** Until when the item behind position "deadlineAt" may wait. */
	private long deadline;

	private int deadlineAt;

	PushInterval(NanoClock clock, long intervalNanos, Runnable onElapsed) {
		this.clock = clock;
		this.intervalNanos = intervalNanos;
		this.onElapsed = onElapsed;
	}

	/** Bounds the time of the item behind a position, from the turn that leaves it. */
	void start(int taken) {
		if (this.timer == null || this.deadlineAt != taken) {
			this.deadlineAt = taken;
			this.deadline = this.clock.nanoTime() + this.intervalNanos;
		}
		if (this.timer == null) {
			this.timer = startTimer();
		}
	}

	/** Whether the interval of the oldest item has passed; tells so once. */
	boolean hasElapsed() {
		if (this.timer == null || !this.timer.hasElapsed()) {
			return false;
		}
		boolean elapsed = this.deadline - this.clock.nanoTime() <= 0;
		this.timer = elapsed ? null : startTimer();
		return elapsed;
	}

	void cancel() {
		if (this.timer != null) {
			this.timer.cancel();
			this.timer = null;
		}
	}

	private ClockTimer startTimer() {
		ClockTimer started = new ClockTimer(this.deadline, (timer) -> this.onElapsed.run());
		started.start(this.clock);
		return started;
	}

}
