package dev.sluice.throttle;

import java.time.Duration;
import java.util.concurrent.Future;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Timer that has a waiting line looked at when its time has come. A line has at most one
 * that counts.
 */
final class LineTimer implements Runnable {

	/*
	 * "cancelled" and "timer" are each written before the other is read, so either start
	 * sees that the alarm was cancelled meanwhile, or cancel sees the timer. An alarm
	 * that rings all the same is ignored, because it is not its line's alarm any more.
	 */

	final long time;

	private final MemoryThrottle<?> throttle;

	private final String key;

	private volatile boolean cancelled;

	private volatile @Nullable Future<?> timer;

	LineTimer(MemoryThrottle<?> throttle, String key, long time) {
		this.throttle = throttle;
		this.key = key;
		this.time = time;
	}

	void start(NanoClock clock) {
		Future<?> timer = clock.schedule(this, Duration.ofNanos(Math.max(0, this.time - clock.nanoTime())));
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

	@Override
	public void run() {
		this.throttle.ring(this.key, this);
	}

}
