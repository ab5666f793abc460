package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.time.NanoClock;

/** Tokens of one bucket, as the time since which it has been filling. */
final class TokenBucketCell extends RateCell {

	/*
	 * The value is the time since which the bucket has been filling: at "now" it holds
	 * (now - value) / tokenTicks tokens, and at most its capacity. Acquiring a token
	 * advances the value by tokenTicks. It never exceeds now, so that the number of
	 * tokens is not negative. A call first advances it to (now - fillTicks) at least, so
	 * that the bucket holds at most its capacity.
	 *
	 * Times are in ticks: fractions of a nanosecond, fine enough that tokenTicks, rounded
	 * up, is within a millionth of period / limit. They count from "base", the time at
	 * which the cell was created. A cell whose times no longer fit in 60 bits (after 36
	 * minutes at a token per nanosecond, years at a thousand per second) is worn out: the
	 * guarded path decides and replaces it by a new cell.
	 *
	 * As in FixedWindowCell an admission is one CAS from a word that was read before the
	 * clock, and a rejection only reads.
	 *
	 * Attacked by RateOracleTests, RateLimitTests, RateCellLincheckTests and
	 * ConcurrentGrantTests.
	 */

	private static final long MAX_SPENT_TICKS = 1L << 60;

	private final long base;

	TokenBucketCell(CompiledLimit terms) {
		super(terms);
		this.base = terms.clock.nanoTime();
		value(-terms.fillTicks);
		unlock();
	}

	private TokenBucketCell(CompiledLimit terms, long base) {
		super(terms);
		this.base = base;
	}

	@Override
	long tryAcquire(int permits) {
		NanoClock clock = this.terms.clock;
		for (int losses = 0;; losses++) {
			long word = this.word;
			int state = (int) word & STATE;
			if (state == FREE) {
				long now = clock.nanoTime();
				if (isWornOut(now)) {
					return UNDECIDED;
				}
				long ticks = ticks(now);
				long fillingSince = fillingSinceAfter(permits, word >> STATE_BITS, ticks);
				if (fillingSince > ticks) {
					return nanos(fillingSince - ticks);
				}
				if (WORD.compareAndSet(this, word, fillingSince << STATE_BITS)) {
					this.terms.tally.admitted.add(permits);
					return admitted(now);
				}
			}
			else if (state != HELD) {
				return UNDECIDED;
			}
			Backoff.pause(losses);
		}
	}

	@Override
	boolean isWornOut(long now) {
		return now - this.base > this.terms.maxAgeNanos;
	}

	private long ticks(long now) {
		return now - this.base << this.terms.tickShift;
	}

	/** Converts ticks to nanoseconds, rounded up. */
	private long nanos(long ticks) {
		return ticks + (1L << this.terms.tickShift) - 1 >> this.terms.tickShift;
	}

	/** Returns the value after permits are acquired at a time, in ticks. */
	private long fillingSinceAfter(int permits, long fillingSince, long ticks) {
		return Math.max(fillingSince, ticks - this.terms.fillTicks) + permits * this.terms.tokenTicks;
	}

	@Override
	public long earliest(int permits, long now) {
		long ticks = ticks(now);
		return nanos(Math.max(0, fillingSinceAfter(permits, value(), ticks) - ticks));
	}

	@Override
	public void take(int permits, long now) {
		value(fillingSinceAfter(permits, value(), ticks(now)));
		this.terms.tally.admitted.add(permits);
	}

	/*
	 * Without the acquisition the bucket might have been full in the meantime and tokens
	 * would have overflowed. The refund is therefore limited to the tokens that have been
	 * refilled since.
	 */
	@Override
	void refund(int permits, long takenAt, long now) {
		long back = permits * this.terms.tokenTicks - (ticks(now) - ticks(takenAt));
		value(value() - Math.max(0, back));
		this.terms.tally.admitted.add(-permits);
	}

	@Override
	void adopt(RateCell old, long now) {
		value(ticks(now) - this.terms.fillTicks + spentBefore(old, now));
	}

	/**
	 * Returns the ticks spent by the cell of another limit. They may exceed the capacity,
	 * as they would count if the capacity were raised again.
	 */
	private long spentBefore(RateCell old, long now) {
		if (old instanceof TokenBucketCell bucket && bucket.terms.limit.equals(this.terms.limit)) {
			return bucket.spentTicks(now);
		}
		long used = old.used(now);
		return (used <= MAX_SPENT_TICKS / this.terms.tokenTicks) ? used * this.terms.tokenTicks : MAX_SPENT_TICKS;
	}

	/** Returns the ticks after which the bucket is full. */
	private long spentTicks(long now) {
		if (now - this.base > 2 * this.terms.maxAgeNanos) {
			return 0; // the bucket has long been full, and the ticks would overflow
		}
		return Math.max(0, value() - (ticks(now) - this.terms.fillTicks));
	}

	@Override
	int used(long now) {
		return (int) ((spentTicks(now) + this.terms.tokenTicks - 1) / this.terms.tokenTicks);
	}

	@Override
	public long idleAfter(long now) {
		return nanos(spentTicks(now));
	}

	@Override
	long untallied() {
		return 0;
	}

	@Override
	RateCell copy() {
		TokenBucketCell copy = new TokenBucketCell(this.terms.scratch(), this.base);
		copy.value(value());
		return copy;
	}

}
