package dev.sluice.throttle.internal.rate;

import java.time.Duration;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.memory.CompiledLimit;

/**
 * The cell of a rate of two permits in 100 ns, both of which were acquired at 0. It is
 * 100 now: they have just passed out of the period.
 */
final class StressedCell {

	static final Duration PERIOD = Duration.ofNanos(100);

	final RateCell cell;

	private long now;

	StressedCell(Limit limit) {
		CompiledLimit terms = terms(limit);
		this.cell = (limit instanceof Limit.SlidingLog) ? new SlidingLogCell(terms)
				: (limit instanceof Limit.SlidingWindow) ? new SlidingWindowCell(terms)
						: (limit instanceof Limit.FixedWindow) ? new FixedWindowCell(terms) : new TokenBucketCell(terms);
		this.cell.tryAcquire(2);
		this.now = PERIOD.toNanos();
	}

	private CompiledLimit terms(Limit limit) {
		CompiledLimit terms = new CompiledLimit("rate", limit, LimitOptions.defaults(), () -> this.now);
		terms.tally.sweepAt = Long.MAX_VALUE;
		return terms;
	}

	/** Acquires by the lock-free path; as from the guard where that decides. */
	long tryAcquire(int permits) {
		long wait = this.cell.tryAcquire(permits);
		return (wait == RateCell.UNDECIDED) ? tryAcquireGuarded(permits) : wait;
	}

	/** Acquires under the guard. */
	long tryAcquireGuarded(int permits) {
		if (!this.cell.lock()) {
			return RateCell.UNDECIDED;
		}
		try {
			long wait = this.cell.earliest(permits, this.now);
			if (wait == 0) {
				this.cell.take(permits, this.now);
			}
			return wait;
		}
		finally {
			this.cell.unlock();
		}
	}

	/** Makes a successor of the cell, which dies; returns what that has used. */
	int replace() {
		this.cell.lock();
		SlidingLogCell by = new SlidingLogCell(terms(Limit.slidingLog(2, PERIOD)));
		by.adopt(this.cell, this.now);
		by.inherit(this.cell);
		this.cell.kill();
		int used = by.used(this.now);
		by.unlock();
		return used;
	}

}
