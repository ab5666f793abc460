package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.time.NanoClock;

/** Tokens of one bucket, as the time at which it was last empty. */
final class TokenBucketCell extends RateCell {

	/*
	 * The value is the moment from which the bucket has been filling: at "now" it holds
	 * (now - value) / cost tokens, and at most its capacity. Taking tokens moves the
	 * value on by their cost. It never passes now, so the bucket holds no less than
	 * nothing; and a call first brings it up to (now - full), so it holds no more than
	 * the capacity.
	 *
	 * Moments are in fractions of a nanosecond, fine enough for the cost of a token,
	 * rounded up, to be within a millionth of period / limit; and relative to "base", the
	 * time at which the cell was made. A cell that is too old for its moments to fit in
	 * 60 bits (36 minutes at a token a nanosecond, years at a thousand a second) is worn
	 * out: it leaves the decision to the guarded path, which puts a new one in its place.
	 *
	 * As in FixedWindowCell an admission is one CAS from a word that was read before the
	 * clock, and a rejection only reads.
	 *
	 * Attacked by RateOracleTests, RateLimitTests, RateCellLincheckTests and
	 * ConcurrentGrantTests.
	 */

	private static final long MOST_SPENT = 1L << 60;

	private final long base;

	TokenBucketCell(CompiledLimit terms) {
		super(terms);
		this.base = terms.clock.nanoTime();
		value(-terms.fill);
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
				long moment = moment(now);
				long after = after(word >> STATE_BITS, permits, moment);
				if (after > moment) {
					return nanos(after - moment);
				}
				if (WORD.compareAndSet(this, word, after << STATE_BITS)) {
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
		return now - this.base > this.terms.longestAge;
	}

	private long moment(long now) {
		return now - this.base << this.terms.shift;
	}

	/** Returns the value as it would be had permits been taken at a moment. */
	private long after(long value, int permits, long moment) {
		return Math.max(value, moment - this.terms.fill) + permits * this.terms.cost;
	}

	private long nanos(long moments) {
		return moments + (1L << this.terms.shift) - 1 >> this.terms.shift;
	}

	@Override
	public long earliest(int permits, long now) {
		long moment = moment(now);
		return nanos(Math.max(0, after(value(), permits, moment) - moment));
	}

	@Override
	public void take(int permits, long now) {
		value(after(value(), permits, moment(now)));
		this.terms.tally.admitted.add(permits);
	}

	/*
	 * Had the permits not been taken, the bucket might have been full for a while since,
	 * and what would have flowed over cannot be given back: at most what flowed in.
	 */
	@Override
	void refund(int permits, long takenAt, long now) {
		long back = permits * this.terms.cost - (moment(now) - moment(takenAt));
		value(value() - Math.max(0, back));
		this.terms.tally.admitted.add(-permits);
	}

	@Override
	void adopt(RateCell old, long now) {
		long spent;
		if (old instanceof TokenBucketCell bucket && bucket.terms.limit.equals(this.terms.limit)) {
			spent = bucket.spent(now);
		}
		else {
			// More than the capacity may be spent: were it raised again, that would
			// count.
			long used = old.used(now);
			spent = (used <= MOST_SPENT / this.terms.cost) ? used * this.terms.cost : MOST_SPENT;
		}
		value(moment(now) - this.terms.fill + spent);
	}

	/** Returns how far the bucket is from full. */
	private long spent(long now) {
		if (now - this.base > 2 * this.terms.longestAge) {
			return 0;
		}
		return Math.max(0, value() - (moment(now) - this.terms.fill));
	}

	@Override
	int used(long now) {
		return (int) ((spent(now) + this.terms.cost - 1) / this.terms.cost);
	}

	@Override
	public long idleAfter(long now) {
		return nanos(spent(now));
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
