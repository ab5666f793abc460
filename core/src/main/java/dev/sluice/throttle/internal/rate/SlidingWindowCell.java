package dev.sluice.throttle.internal.rate;

import java.lang.invoke.VarHandle;

import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.CompiledLimit;

/** Permits of the last buckets, one count each. */
final class SlidingWindowCell extends BucketCell {

	/*
	 * The word is a sequence lock, as in SlidingLogCell: read the word, the clock, the
	 * counts, and the word again. Torn counts give a wrong result at worst, which is
	 * discarded. An admission into the latest bucket is one CAS from the word it read.
	 * The first one of a bucket takes the guard from that word, to make its bucket the
	 * latest; the array it may need is made before.
	 *
	 * Attacked by RateOracleTests, RateCellLincheckTests and ConcurrentGrantTests.
	 */

	SlidingWindowCell(CompiledLimit terms) {
		super(terms);
	}

	@Override
	long tryAcquire(int permits) {
		CompiledLimit terms = this.terms;
		int[] larger = null;
		for (int losses = 0;; losses++) {
			long word = this.word;
			int state = (int) word & STATE;
			if (state == FREE) {
				long now = terms.clock.nanoTime();
				long start = terms.buckets.start(now);
				long wait = earliest(permits, start, now);
				if (wait > 0) {
					VarHandle.acquireFence();
					if (this.word == word) {
						return wait;
					}
				}
				else if (start == this.latest) {
					if (WORD.compareAndSet(this, word, word + ((long) permits << STATE_BITS))) {
						return admitted(now);
					}
				}
				else if (larger == null && isTooLarge()) {
					larger = new int[terms.bucketCount];
					continue;
				}
				else if (WORD.compareAndSet(this, word, word | HELD)) {
					VarHandle.storeStoreFence();
					try {
						advance(start, larger);
						value(value() + permits);
					}
					finally {
						unlock();
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

	@Override
	public long earliest(int permits, long now) {
		return earliest(permits, this.terms.buckets.start(now), now);
	}

	private long earliest(int permits, long start, long now) {
		long latest = this.latest;
		int used = this.older + latestCount();
		int age = this.terms.bucketCount - 1;
		if (start != latest) {
			for (int passed = passed(start, latest); passed > 0; passed--) {
				used -= count(age--);
			}
		}
		int excess = used - this.terms.max + permits;
		if (excess <= 0) {
			return 0;
		}
		age = oldest(age);
		while (age > 0 && (excess -= count(age)) > 0) {
			age--;
		}
		return latest + (this.terms.bucketCount - age) * this.terms.buckets.length - now;
	}

	@Override
	RateCell copy() {
		SlidingWindowCell copy = new SlidingWindowCell(this.terms.scratch());
		copy.copyCounts(this);
		return copy;
	}

}
