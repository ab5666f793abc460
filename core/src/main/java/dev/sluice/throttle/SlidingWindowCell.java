package dev.sluice.throttle;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** The permits of the last buckets, a count each. */
final class SlidingWindowCell extends RateCell {

	/*
	 * Counts are kept by age: that of the bucket that starts at "latest", the one before,
	 * and so on; "used" is their sum. Counts that are small enough for all of them to fit
	 * share one word ("packed"); the first that is not makes an array of them.
	 *
	 * The value counts the permits admitted, which makes the word a sequence lock, as in
	 * SlidingLogCell: read the word, the clock, the counts, and the word again. Torn
	 * counts give a wrong result at worst, which is discarded. An admission takes the
	 * guard from the word it read; the array it may need is made before.
	 *
	 * Attacked by RateOracleTests, RateCellLincheckTests and ConcurrentGrantTests.
	 */

	private static final int MOST_PACKED = 16;

	private long latest;

	private long packed;

	private int @Nullable [] counts;

	private int used;

	SlidingWindowCell(Terms terms) {
		super(terms);
		this.latest = terms.buckets.start(terms.clock.nanoTime());
		if (terms.bucketCount > MOST_PACKED) {
			this.counts = new int[terms.bucketCount];
		}
	}

	@Override
	long tryAcquire(int permits) {
		int[] larger = null;
		for (int spins = 0;; spins++) {
			long word = this.word;
			int state = (int) word & STATE;
			if (state == FREE) {
				long now = this.terms.clock.nanoTime();
				long wait = earliest(permits, now);
				if (wait > 0) {
					VarHandle.acquireFence();
					if (this.word == word) {
						return wait;
					}
				}
				else if (WORD.compareAndSet(this, word, word | HELD)) {
					VarHandle.storeStoreFence();
					if (larger == null && isTooLarge(permits, now)) {
						unlock();
						larger = new int[this.terms.bucketCount];
						continue;
					}
					add(permits, now, larger);
					WORD.setRelease(this, word + ((long) permits << STATE_BITS));
					return admitted(now);
				}
			}
			else if (state != HELD) {
				return UNDECIDED;
			}
			pause(spins);
		}
	}

	@Override
	long earliest(int permits, long now) {
		long start = this.terms.buckets.start(now);
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
		while (age > 0 && (excess -= count(age)) > 0) {
			age--;
		}
		return latest + (this.terms.bucketCount - age) * this.terms.buckets.length - now;
	}

	/** Returns how many buckets have passed out of the window since the latest. */
	private int passed(long start, long latest) {
		long passed = (start - latest) / this.terms.buckets.length;
		return (int) Math.max(0, Math.min(passed, this.terms.bucketCount));
	}

	private int count(int age) {
		int[] counts = this.counts;
		if (counts != null) {
			return counts[age];
		}
		int bits = this.terms.bucketBits;
		return (int) (this.packed >>> age * bits & (1L << bits) - 1);
	}

	private boolean isTooLarge(int permits, long now) {
		long first = (this.terms.buckets.start(now) == this.latest) ? count(0) : 0;
		return this.counts == null && first + permits > (1L << this.terms.bucketBits) - 1;
	}

	private void add(int permits, long now, int @Nullable [] larger) {
		if (larger != null && this.counts == null) {
			for (int age = 0; age < larger.length; age++) {
				larger[age] = count(age);
			}
			this.counts = larger;
		}
		advance(this.terms.buckets.start(now));
		if (this.counts != null) {
			this.counts[0] += permits;
		}
		else {
			this.packed += permits;
		}
		this.used += permits;
	}

	/** Makes the bucket that starts then the latest. */
	private void advance(long start) {
		int passed = passed(start, this.latest);
		if (passed == 0) {
			return;
		}
		int kept = this.terms.bucketCount - passed;
		for (int age = kept; age < this.terms.bucketCount; age++) {
			this.used -= count(age);
		}
		if (this.counts != null) {
			System.arraycopy(this.counts, 0, this.counts, passed, kept);
			Arrays.fill(this.counts, 0, passed, 0);
		}
		else {
			this.packed = (kept > 0) ? this.packed << passed * this.terms.bucketBits & this.terms.bucketMask : 0;
		}
		this.latest = start;
	}

	@Override
	void take(int permits, long now) {
		add(permits, now, isTooLarge(permits, now) ? new int[this.terms.bucketCount] : null);
		value(value() + permits);
	}

	@Override
	void refund(int permits, long takenAt, long now) {
		advance(this.terms.buckets.start(now));
		long age = (this.latest - this.terms.buckets.start(takenAt)) / this.terms.buckets.length;
		if (age < this.terms.bucketCount) {
			int back = Math.min(permits, count((int) age));
			if (this.counts != null) {
				this.counts[(int) age] -= back;
			}
			else {
				this.packed -= (long) back << age * this.terms.bucketBits;
			}
			this.used -= back;
		}
		value(value() + 1);
		this.terms.tally.admitted.add(-permits - 1L);
	}

	@Override
	void adopt(RateCell old, long now) {
		if (old instanceof SlidingWindowCell window && window.terms.buckets.length == this.terms.buckets.length) {
			this.counts = new int[this.terms.bucketCount];
			this.latest = window.latest;
			for (int age = 0; age < Math.min(this.counts.length, window.terms.bucketCount); age++) {
				this.counts[age] = window.count(age);
				this.used += this.counts[age];
			}
		}
		else {
			int used = old.used(now);
			add(used, now, new int[this.terms.bucketCount]);
		}
	}

	@Override
	int used(long now) {
		int used = this.used;
		int passed = passed(this.terms.buckets.start(now), this.latest);
		for (int age = this.terms.bucketCount - passed; age < this.terms.bucketCount; age++) {
			used -= count(age);
		}
		return used;
	}

	@Override
	long idleAfter(long now) {
		if (used(now) == 0) {
			return 0;
		}
		int age = 0;
		while (count(age) == 0) {
			age++;
		}
		return this.latest + (this.terms.bucketCount - age) * this.terms.buckets.length - now;
	}

	@Override
	long untallied() {
		return value();
	}

	@Override
	RateCell copy() {
		SlidingWindowCell copy = new SlidingWindowCell(this.terms.scratch());
		copy.latest = this.latest;
		copy.packed = this.packed;
		copy.counts = (this.counts != null) ? this.counts.clone() : null;
		copy.used = this.used;
		return copy;
	}

}
