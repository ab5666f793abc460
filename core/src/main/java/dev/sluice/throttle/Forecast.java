package dev.sluice.throttle;

import org.jspecify.annotations.Nullable;

/**
 * Usage of a rate once all waiters have been served in time: a copy of its cell in which
 * each waiter's permits are already acquired at the earliest time. In a dynamic window
 * that is done for the first ones only, as each takes time in proportion to the keys:
 * behind a longer line the time is a lower bound.
 */
final class Forecast {

	private static final int MOST_OF_DYNAMIC_WINDOW = 100;

	private final RateCell cell;

	/** How many more in line may be granted here. */
	private int left;

	/** Nanoseconds ahead after which it is no use to look closer. */
	private final long farthest;

	/** When the last in line is served. */
	private long time;

	Forecast(RateCell cell, Line line, long now) {
		this.cell = cell.copy();
		this.left = (cell instanceof DynamicWindowCell) ? MOST_OF_DYNAMIC_WINDOW : Integer.MAX_VALUE;
		this.farthest = cell.terms.longestAge / 2;
		this.time = now;
		for (Place place = line.head(); place != null && this.left > 0; place = place.next) {
			append(place.permits, now);
		}
	}

	/** Returns how long a newcomer at the end of the line waits from now. */
	long earliest(int permits, long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest) {
			return start - now;
		}
		return start - now + this.cell.earliest(permits, start);
	}

	/** Returns how long it takes from now until all that was used has passed. */
	long idleAfter(long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest) {
			return start - now;
		}
		return start - now + this.cell.idleAfter(start);
	}

	void append(int permits, long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest || this.left == 0) {
			return;
		}
		this.left--;
		this.time = start + this.cell.earliest(permits, start);
		this.cell.take(permits, this.time);
	}

	private static long later(long a, long b) {
		return (a - b > 0) ? a : b;
	}

	static Forecast of(RateCell cell, Line line, long now) {
		@Nullable Forecast forecast = line.forecast;
		if (forecast == null) {
			forecast = new Forecast(cell, line, now);
			line.forecast = forecast;
		}
		return forecast;
	}

}
