package dev.sluice.time;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The monotonic clock of this virtual machine, anchored once to the epoch. */
final class SystemNanoClock implements NanoClock {

	static final SystemNanoClock INSTANCE = new SystemNanoClock(Instant.now(), System.nanoTime());

	private final long offset;

	SystemNanoClock(Instant wallTime, long nanoTime) {
		this.offset = TimeUnit.SECONDS.toNanos(wallTime.getEpochSecond()) + wallTime.getNano() - nanoTime;
	}

	@Override
	public long nanoTime() {
		return System.nanoTime() + this.offset;
	}

	@Override
	public String toString() {
		return "NanoClock.system()";
	}

}
