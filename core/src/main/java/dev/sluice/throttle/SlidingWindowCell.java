package dev.sluice.throttle;

import java.lang.invoke.VarHandle;

import dev.sluice.time.NanoClock;

/** The permits of the last buckets, a count each. */
final class SlidingWindowCell extends BucketCell {

	/*
	 * The value counts the permits admitted, which makes the word a sequence lock, as in
	 * SlidingLogCell: read the word, the clock, the counts, and the word again. Torn
	 * counts give a wrong result at worst, which is discarded. An admission takes the
	 * guard from the word it read; the array it may need is made before.
	 *
	 * Attacked by RateOracleTests, RateCellLincheckTests and ConcurrentGrantTests.
	 */

	SlidingWindowCell(Terms terms) {
		super(terms);
	}

	@Override
	long tryAcquire(int permits) {
		NanoClock clock = this.terms.clock;
		int[] larger = null;
		for (int losses = 0;; losses++) {
			long word = this.word;
			int state = (int) word & STATE;
			if (state == FREE) {
				long now = clock.nanoTime();
				long start = this.terms.buckets.start(now);
				long wait = earliest(permits, start, now);
				if (wait > 0) {
					VarHandle.acquireFence();
					if (this.word == word) {
						return wait;
					}
				}
				else if (WORD.compareAndSet(this, word, word | HELD)) {
					VarHandle.storeStoreFence();
					if (larger == null && isTooLarge(permits, start)) {
						unlock();
						larger = new int[this.terms.bucketCount];
						continue;
					}
					add(permits, start, larger);
					WORD.setRelease(this, word + ((long) permits << STATE_BITS));
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
	long earliest(int permits, long now) {
		return earliest(permits, this.terms.buckets.start(now), now);
	}

	private long earliest(int permits, long start, long now) {
		long latest = this.latest;
		int used = this.used;
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
