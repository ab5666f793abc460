package dev.sluice.throttle.internal.line;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Timer that has a waiting line looked at when its time has come. A line has at most one
 * that counts.
 */
public final class LineTimer implements Runnable {

	/*
	 * "cancelled" and "timer" are each written before the other is read, so either start
	 * sees that the alarm was cancelled meanwhile, or cancel sees the timer. An alarm
	 * that rings all the same is ignored, because it is not its line's alarm any more.
	 */

	public final long time;

	private final Consumer<LineTimer> onTime;

	private volatile boolean cancelled;

	private volatile @Nullable Future<?> timer;

	public LineTimer(long time, Consumer<LineTimer> onTime) {
		this.time = time;
		this.onTime = onTime;
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
		this.onTime.accept(this);
	}

}
