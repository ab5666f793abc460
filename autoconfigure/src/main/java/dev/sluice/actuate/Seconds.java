package dev.sluice.actuate;

import java.time.Duration;

/** Formats durations as seconds, rounded up to the millisecond. */
public final class Seconds {

	private Seconds() {
	}

	public static double of(Duration duration) {
		return -Math.floorDiv(-duration.toNanos(), 1_000_000) / 1000.0;
	}

}
