package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.memory.Cell;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import org.jspecify.annotations.Nullable;

/** Usage of one key of a rate limit. */
abstract class RateCell extends Cell implements RateUsage {

	/** Result of {@link #tryAcquire} for a call that must be decided under the guard. */
	static final long UNDECIDED = -1;

	/**
	 * Result of {@link #tryAcquire} that admits the call and requests a sweep of idle
	 * keys.
	 */
	static final long ADMITTED_AND_SWEEP = -2;

	final CompiledLimit terms;

	/** Forecast of the usage after the waiters; created on demand, under the guard. */
	private @Nullable Forecast forecast;

	RateCell(CompiledLimit terms) {
		this.terms = terms;
	}

	/**
	 * Takes permits if the cell has no waiters and does not change concurrently.
	 * @return 0 or {@link #ADMITTED_AND_SWEEP} if admitted, the nanoseconds to wait if
	 * rejected, or {@link #UNDECIDED}
	 */
	abstract long tryAcquire(int permits);

	final long admitted(long now) {
		return (now - this.terms.tally.sweepAt < 0) ? 0 : ADMITTED_AND_SWEEP;
	}

	/**
	 * Returns whether the range of the cell's times is exhausted, so that it needs a
	 * successor.
	 */
	boolean isWornOut(long now) {
		return false;
	}

	/**
	 * Undoes a take, as far as it still counts and never more. Called under the guard.
	 */
	abstract void refund(int permits, long takenAt, long now);

	/**
	 * Removes the usage of this cell from the shared capacity. Called under the guard.
	 */
	void forget(long now) {
	}

	/**
	 * Takes over the usage of a cell of another limit, of any kind. Called under the
	 * guard.
	 */
	abstract void adopt(RateCell old, long now);

	/** Returns the maximum number of permits that can be in use now. */
	int limit(long now) {
		return this.terms.limit.maxUsed();
	}

	/** Returns the permits that count now. */
	abstract int used(long now);

	/**
	 * Returns the admitted permits that the tally does not contain yet. Called under the
	 * guard.
	 */
	abstract long untallied();

	/** Returns the usage after all waiters have been served. Called under the guard. */
	final Forecast forecast(long now) {
		Forecast forecast = this.forecast;
		if (forecast == null || forecast.isOutdated()) {
			forecast = new Forecast(line(), copy(), maxForecastWaiters(), this.terms.maxAgeNanos / 2, now);
			this.forecast = forecast;
		}
		forecast.follow(now);
		return forecast;
	}

	/** Drops the forecast when the line has emptied. Called under the guard. */
	final void endForecast() {
		this.forecast = null;
	}

	/** Returns the maximum number of waiters that a forecast considers. */
	int maxForecastWaiters() {
		return Integer.MAX_VALUE;
	}

	/** Copies the usage, without the line and the guard. Called under the guard. */
	abstract RateCell copy();

}
