package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.line.Line;
import dev.sluice.throttle.internal.line.Place;
import org.jspecify.annotations.Nullable;

/**
 * Usage of a rate once all waiters have been served in time: a copy in which each
 * waiter's permits are already acquired at the earliest time. It follows those who come
 * to the end of the line, and is outdated by any other change.
 */
final class Forecast {

	private final Line line;

	/** State of the line that this is a forecast for. */
	private final long changes;

	private final RateUsage usage;

	/** How many more in line may be granted here. */
	private int left;

	/** Nanoseconds ahead after which it is no use to look closer. */
	private final long farthest;

	/** When the last in line is served. */
	private long time;

	/** The last in line that was granted here. */
	private @Nullable Place last;

	/**
	 * Starts a forecast.
	 * @param line those who wait
	 * @param usage what is used now, of which nobody else takes
	 * @param most how many in line are looked at: behind more the time is a lower bound
	 * @param farthest nanoseconds ahead after which it is no use to look closer
	 * @param now the time
	 */
	Forecast(Line line, RateUsage usage, int most, long farthest, long now) {
		this.line = line;
		this.changes = line.changes();
		this.usage = usage;
		this.left = most;
		this.farthest = farthest;
		this.time = now;
	}

	boolean isOutdated() {
		return this.changes != this.line.changes();
	}

	/** Grants their permits to those who have come to the end of the line. */
	void follow(long now) {
		Place place = (this.last != null) ? this.last.next : this.line.head();
		while (place != null && this.left > 0) {
			grant(place.permits, now);
			this.last = place;
			place = place.next;
		}
	}

	private void grant(int permits, long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest) {
			return;
		}
		this.left--;
		this.time = start + this.usage.earliest(permits, start);
		this.usage.take(permits, this.time);
	}

	/** Returns how long a newcomer at the end of the line waits from now. */
	long earliest(int permits, long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest) {
			return start - now;
		}
		return start - now + this.usage.earliest(permits, start);
	}

	/** Returns how long it takes from now until all that was used has passed. */
	long idleAfter(long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest) {
			return start - now;
		}
		return start - now + this.usage.idleAfter(start);
	}

	private static long later(long a, long b) {
		return (a - b > 0) ? a : b;
	}

}
