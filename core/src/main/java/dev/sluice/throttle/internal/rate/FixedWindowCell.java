package dev.sluice.throttle.internal.rate;

import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.CompiledLimit;

/** Permits of the current window, in one number. */
final class FixedWindowCell extends RateCell {

	/*
	 * The value is the start of a window plus the permits used in it. As a window has
	 * more nanoseconds than permits, the sum determines both the window and the number of
	 * permits. In a later window the value is in the past, so that no permit counts.
	 *
	 * The value has 62 bits, and times are compared by their difference in 62 bits, so
	 * that a window differs from every other one within 73 years.
	 *
	 * An admission is one CAS from the word that was read before the clock, so that no
	 * other call was admitted, no line formed and no guard was acquired in between. A
	 * rejection only reads. The call whose CAS opens the next window adds the permits of
	 * the passed window to the tally.
	 *
	 * Attacked by RateOracleTests, RateCellLincheckTests and ConcurrentGrantTests.
	 */

	FixedWindowCell(CompiledLimit terms) {
		super(terms);
		value(terms.buckets.start(terms.clock.nanoTime()));
		unlock();
	}

	@Override
	long tryAcquire(int permits) {
		CompiledLimit terms = this.terms;
		for (int losses = 0;; losses++) {
			long word = this.word;
			int state = (int) word & STATE;
			if (state == FREE) {
				long now = terms.clock.nanoTime();
				long start = terms.buckets.start(now);
				long before = since(start, word);
				long used = Math.max(0, before);
				if (used + permits > terms.max) {
					return start + terms.period - now;
				}
				if (WORD.compareAndSet(this, word, start + used + permits << STATE_BITS)) {
					if (before < 0) {
						tally(start + before);
					}
					return admitted(now);
				}
			}
			else if (state != HELD) {
				return UNDECIDED;
			}
			Backoff.pause(losses);
		}
	}

	/** Returns the word's value minus a time: the used permits, if not negative. */
	private static long since(long start, long word) {
		return (word >> STATE_BITS) - start << STATE_BITS >> STATE_BITS;
	}

	private void tally(long value) {
		this.terms.tally.admitted.add(Math.floorMod(value, this.terms.period));
	}

	@Override
	public long earliest(int permits, long now) {
		return (used(now) + (long) permits > this.terms.max) ? idleAfter(now) : 0;
	}

	@Override
	public void take(int permits, long now) {
		long start = this.terms.buckets.start(now);
		long before = since(start, this.word);
		if (before < 0) {
			tally(start + before);
		}
		value(start + Math.max(0, before) + permits);
	}

	@Override
	void refund(int permits, long takenAt, long now) {
		long start = this.terms.buckets.start(now);
		long used = since(start, this.word);
		if (takenAt - start >= 0 && used > 0) {
			value(start + Math.max(0, used - permits));
		}
		else {
			this.terms.tally.admitted.add(-permits);
		}
	}

	@Override
	void adopt(RateCell old, long now) {
		long used = Math.min(old.used(now), this.terms.period - 1);
		this.terms.tally.admitted.add(-used);
		value(this.terms.buckets.start(now) + used);
	}

	@Override
	int used(long now) {
		return (int) Math.max(0, since(this.terms.buckets.start(now), this.word));
	}

	@Override
	public long idleAfter(long now) {
		return (used(now) == 0) ? 0 : this.terms.buckets.start(now) + this.terms.period - now;
	}

	@Override
	long untallied() {
		long now = this.terms.clock.nanoTime();
		long start = this.terms.buckets.start(now);
		return Math.floorMod(start + since(start, this.word), this.terms.period);
	}

	@Override
	RateCell copy() {
		FixedWindowCell copy = new FixedWindowCell(this.terms.scratch());
		copy.value(value());
		return copy;
	}

}
