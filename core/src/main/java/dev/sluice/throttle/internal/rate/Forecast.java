package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.line.Line;
import dev.sluice.throttle.internal.line.Place;
import org.jspecify.annotations.Nullable;

/**
 * Usage of a rate limit after all waiters have been served: a copy in which the permits
 * of each waiter are already acquired at the earliest time. It is extended by waiters
 * that join the end of the line, and outdated by any other change.
 */
final class Forecast {

	private final Line line;

	/** State of the line at the time of the forecast. */
	private final long changes;

	private final RateUsage usage;

	/** Number of further waiters that this forecast includes. */
	private int left;

	/** Nanoseconds ahead after which the forecast stops. */
	private final long farthest;

	/** Time at which the last waiter is served. */
	private long time;

	/** The last waiter included in this forecast. */
	private @Nullable Place last;

	/**
	 * Creates a forecast.
	 * @param line the waiting line
	 * @param usage the current usage, a copy for this forecast alone
	 * @param maxWaiters the maximum number of waiters to include; with more waiters, the
	 * result is a lower bound
	 * @param farthest the nanoseconds ahead after which the forecast stops
	 * @param now the current time
	 */
	Forecast(Line line, RateUsage usage, int maxWaiters, long farthest, long now) {
		this.line = line;
		this.changes = line.changes();
		this.usage = usage;
		this.left = maxWaiters;
		this.farthest = farthest;
		this.time = now;
	}

	boolean isOutdated() {
		return this.changes != this.line.changes();
	}

	/** Includes the waiters that have joined the end of the line. */
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

	/** Returns the nanoseconds that a new call at the end of the line would wait. */
	long earliest(int permits, long now) {
		long start = later(this.time, now);
		if (start - now > this.farthest) {
			return start - now;
		}
		return start - now + this.usage.earliest(permits, start);
	}

	/** Returns the nanoseconds until the usage no longer counts. */
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
