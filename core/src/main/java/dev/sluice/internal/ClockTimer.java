package dev.sluice.internal;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Timer that runs an action once, at a time of a clock, unless it is cancelled before.
 */
public final class ClockTimer implements Runnable {

	/*
	 * "cancelled" and "timer" are each written before the other is read, so start reads
	 * that the timer was cancelled, or cancel reads the scheduled future. A timer that
	 * runs in spite of its cancellation is harmless: its action checks whether the timer
	 * is still current or whether work is due. Attacked by IntervalTests and LineTests.
	 */

	public final long time;

	private final Consumer<ClockTimer> action;

	private volatile boolean elapsed;

	private volatile boolean cancelled;

	private volatile @Nullable Future<?> timer;

	/**
	 * Creates the timer without starting it.
	 * @param time the reading of the clock at which to run
	 * @param action the action to run, called with this timer
	 */
	public ClockTimer(long time, Consumer<ClockTimer> action) {
		this.time = time;
		this.action = action;
	}

	public void start(NanoClock clock) {
		Future<?> timer = clock.schedule(this, Duration.ofNanos(Math.max(0, this.time - clock.nanoTime())));
		this.timer = timer;
		if (this.cancelled) {
			timer.cancel(false);
		}
	}

	public void cancel() {
		this.cancelled = true;
		Future<?> timer = this.timer;
		if (timer != null) {
			timer.cancel(false);
		}
	}

	/** Returns whether the action was run, or is about to. */
	public boolean hasElapsed() {
		return this.elapsed;
	}

	@Override
	public void run() {
		this.elapsed = true;
		this.action.accept(this);
	}

}
