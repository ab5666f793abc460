package dev.sluice.batch;

import java.time.Duration;
import java.util.concurrent.Future;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Calls for something once, when its time has come, unless it is cancelled before. */
final class Alarm implements Runnable {

	/*
	 * "cancelled" and "timer" are each written before the other is read, so either start
	 * sees that the alarm was cancelled meanwhile, or cancel sees the timer. One that
	 * rings all the same is harmless: those who are called look at what is due.
	 */

	private final Runnable call;

	private volatile boolean rung;

	private volatile boolean cancelled;

	private volatile @Nullable Future<?> timer;

	Alarm(Runnable call) {
		this.call = call;
	}

	void start(NanoClock clock, long nanos) {
		Future<?> timer = clock.schedule(this, Duration.ofNanos(nanos));
		this.timer = timer;
		if (this.cancelled) {
			timer.cancel(false);
		}
	}

	void cancel() {
		this.cancelled = true;
		Future<?> timer = this.timer;
		if (timer != null) {
			timer.cancel(false);
		}
	}

	boolean hasRung() {
		return this.rung;
	}

	@Override
	public void run() {
		this.rung = true;
		this.call.run();
	}

}
