package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.memory.Cell;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import org.jspecify.annotations.Nullable;

/** Usage of one key of a rate. */
abstract class RateCell extends Cell implements RateUsage {

	/** The answer of {@link #tryAcquire} that only the holder of the guard can decide. */
	static final long UNDECIDED = -1;

	/**
	 * The answer of {@link #tryAcquire} that admits, and asks for a look at idle keys.
	 */
	static final long ADMITTED_AND_SWEEP = -2;

	final CompiledLimit terms;

	/** What those in line will have used; made on demand, and guarded. */
	private @Nullable Forecast forecast;

	RateCell(CompiledLimit terms) {
		this.terms = terms;
	}

	/**
	 * Takes permits if nobody waits and nothing has changed.
	 * @return 0 or {@link #ADMITTED_AND_SWEEP} if taken, the nanoseconds to wait if not,
	 * or {@link #UNDECIDED}
	 */
	abstract long tryAcquire(int permits);

	final long admitted(long now) {
		return (now - this.terms.tally.sweepAt < 0) ? 0 : ADMITTED_AND_SWEEP;
	}

	/** Returns whether the cell cannot reckon any more, and needs a successor. */
	boolean isWornOut(long now) {
		return false;
	}

	/** Undoes a take, as far as it still counts, and never more; guarded. */
	abstract void refund(int permits, long takenAt, long now);

	/** Takes leave of those it shares with, as all it has used is forgotten; guarded. */
	void forget(long now) {
	}

	/** Takes over what another limit's cell, of any kind, has used; guarded. */
	abstract void adopt(RateCell old, long now);

	/** Returns the most permits that could be used now. */
	int limit(long now) {
		return this.terms.maxPermits;
	}

	/** Returns permits that count now. */
	abstract int used(long now);

	/** Returns permits admitted here that the tally does not contain; guarded. */
	abstract long untallied();

	/** Returns what will have been used once all in line are served; guarded. */
	final Forecast forecast(long now) {
		Forecast forecast = this.forecast;
		if (forecast == null || forecast.isOutdated()) {
			forecast = new Forecast(line(), copy(), mostForeseen(), this.terms.maxAgeNanos / 2, now);
			this.forecast = forecast;
		}
		forecast.follow(now);
		return forecast;
	}

	/** Drops the forecast, as nobody is in line any more; guarded. */
	final void endForecast() {
		this.forecast = null;
	}

	/** Returns how many of those in line a forecast looks at. */
	int mostForeseen() {
		return Integer.MAX_VALUE;
	}

	/** Copies what was used, with neither line nor guard; guarded. */
	abstract RateCell copy();

}
