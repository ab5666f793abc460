package dev.sluice.batch;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.time.NanoClock;

/** Counts what is scheduled on another clock. */
class CountingClock implements NanoClock {

	private final NanoClock clock;

	private final AtomicInteger scheduled;

	CountingClock(NanoClock clock, AtomicInteger scheduled) {
		this.clock = clock;
		this.scheduled = scheduled;
	}

	@Override
	public long nanoTime() {
		return this.clock.nanoTime();
	}

	@Override
	public Future<?> schedule(Runnable task, Duration delay) {
		this.scheduled.incrementAndGet();
		return this.clock.schedule(task, delay);
	}

}
