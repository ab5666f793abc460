package dev.sluice.throttle.internal.rate;

import java.util.Arrays;

import dev.sluice.throttle.internal.memory.CompiledLimit;
import org.jspecify.annotations.Nullable;

/**
 * Permits of the last buckets, one count each. Changes require the guard; reads do not.
 */
abstract class BucketCell extends RateCell {

	/*
	 * The latest bucket starts at "latest". Its count is in the word's value, so that one
	 * CAS takes permits. The counts of older buckets are kept by age, beginning with 1,
	 * and "older" is their sum. While all counts are small enough, they share one word
	 * ("packed"); the first larger count moves them to an array.
	 *
	 * The value consists of that count and, in the higher bits, a version that changes
	 * with all other state. The word therefore does not repeat within two thousand
	 * million changes, and a reader that finds the word unchanged has read a consistent
	 * state.
	 *
	 * Permits are added to the tally when their bucket is no longer the latest.
	 *
	 * Methods that only read may be called without the guard. The caller then discards
	 * the result if the word has changed.
	 */

	private static final int MAX_PACKED = 16;

	private static final int COUNT_BITS = Integer.SIZE - 1;

	private static final long COUNT = (1L << COUNT_BITS) - 1;

	long latest;

	int older;

	private long packed;

	private int @Nullable [] counts;

	BucketCell(CompiledLimit terms) {
		super(terms);
		this.latest = terms.buckets.start(terms.clock.nanoTime());
		if (terms.bucketCount > MAX_PACKED) {
			this.counts = new int[terms.bucketCount];
		}
	}

	/** Returns the count of the latest bucket. */
	final int latestCount() {
		return (int) (value() & COUNT);
	}

	/** Sets the count of the latest bucket, with a new version. */
	private void latestCount(int count) {
		value((value() | COUNT) + 1 + count);
	}

	final int count(int age) {
		if (age == 0) {
			return latestCount();
		}
		int[] counts = this.counts;
		if (counts != null) {
			return counts[age];
		}
		int bits = this.terms.bucketBits;
		return (int) (this.packed >>> age * bits & (1L << bits) - 1);
	}

	/**
	 * Returns the greatest age, up to the given one, of a bucket that may have permits.
	 */
	final int oldest(int age) {
		return (this.counts != null) ? age
				: Math.min(age, (Long.SIZE - 1 - Long.numberOfLeadingZeros(this.packed)) / this.terms.bucketBits);
	}

	/** Returns the number of buckets that have left the window since the latest one. */
	final int passed(long start, long latest) {
		long passed = (start - latest) / this.terms.buckets.length;
		return (int) Math.max(0, Math.min(passed, this.terms.bucketCount));
	}

	/** Returns whether the latest count is too large for the packed counts. */
	final boolean isTooLarge() {
		return this.counts == null && latestCount() >= 1L << this.terms.bucketBits;
	}

	/** Makes the bucket with the given start the latest, unless the latest is later. */
	final void advance(long start) {
		if (start != this.latest) {
			advance(start, isTooLarge() ? new int[this.terms.bucketCount] : null);
		}
	}

	/** Advances with the array that the counts need if the latest is too large. */
	final void advance(long start, int @Nullable [] larger) {
		int passed = passed(start, this.latest);
		if (passed == 0) {
			return;
		}
		if (larger != null && this.counts == null) {
			for (int age = 1; age < larger.length; age++) {
				larger[age] = count(age);
			}
			this.counts = larger;
		}
		int kept = this.terms.bucketCount - passed;
		int count = latestCount();
		this.older += count;
		for (int age = kept; age < this.terms.bucketCount; age++) {
			this.older -= count(age);
		}
		if (this.counts != null) {
			this.counts[0] = count;
			System.arraycopy(this.counts, 0, this.counts, passed, kept);
			Arrays.fill(this.counts, 0, passed, 0);
		}
		else {
			this.packed = (kept > 0) ? (this.packed | count) << passed * this.terms.bucketBits & this.terms.bucketMask
					: 0;
		}
		this.latest = start;
		latestCount(0);
		this.terms.tally.admitted.add(count);
	}

	@Override
	public void take(int permits, long now) {
		advance(this.terms.buckets.start(now));
		value(value() + permits);
	}

	@Override
	void refund(int permits, long takenAt, long now) {
		advance(this.terms.buckets.start(now));
		long age = (this.latest - this.terms.buckets.start(takenAt)) / this.terms.buckets.length;
		int before = latestCount();
		if (age < this.terms.bucketCount) {
			subtract((int) age, Math.min(permits, count((int) age)));
		}
		this.terms.tally.admitted.add(before - latestCount() - permits);
	}

	@Override
	void adopt(RateCell old, long now) {
		if (old instanceof BucketCell window && old.getClass() == getClass()
				&& window.terms.buckets.length == this.terms.buckets.length) {
			this.counts = new int[this.terms.bucketCount];
			this.latest = window.latest;
			for (int age = 1; age < Math.min(this.counts.length, window.terms.bucketCount); age++) {
				this.counts[age] = window.count(age);
				this.older += this.counts[age];
			}
			latestCount(window.latestCount());
		}
		else {
			advance(this.terms.buckets.start(now));
			latestCount(latestCount() + old.used(now));
		}
		this.terms.tally.admitted.add(-latestCount());
	}

	@Override
	int used(long now) {
		int used = this.older + latestCount();
		int passed = passed(this.terms.buckets.start(now), this.latest);
		for (int age = this.terms.bucketCount - passed; age < this.terms.bucketCount; age++) {
			used -= count(age);
		}
		return used;
	}

	@Override
	public long idleAfter(long now) {
		if (used(now) == 0) {
			return 0;
		}
		int age = 0;
		while (count(age) == 0) {
			age++;
		}
		return this.latest + (this.terms.bucketCount - age) * this.terms.buckets.length - now;
	}

	/**
	 * Returns the number of bucket edges after the start of a bucket until no permit
	 * counts, or 0 if none counts now. During a concurrent change, the result is a number
	 * in range.
	 */
	final int activeUntil(long start) {
		if (used(start) <= 0) {
			return 0;
		}
		int passed = passed(start, this.latest);
		int age = 0;
		while (age < this.terms.bucketCount - 1 - passed && count(age) == 0) {
			age++;
		}
		return Math.max(1, this.terms.bucketCount - passed - age);
	}

	@Override
	long untallied() {
		return latestCount();
	}

	/** Subtracts the usage of another cell with buckets of the same length. */
	final void subtract(BucketCell other, long now) {
		advance(this.terms.buckets.start(now));
		other.advance(this.latest);
		for (int age = 0; age < this.terms.bucketCount; age++) {
			subtract(age, other.count(age));
		}
	}

	private void subtract(int age, int permits) {
		if (age == 0) {
			latestCount(latestCount() - permits);
			return;
		}
		if (this.counts != null) {
			this.counts[age] -= permits;
		}
		else {
			this.packed -= (long) permits << age * this.terms.bucketBits;
		}
		this.older -= permits;
		latestCount(latestCount());
	}

	final void copyCounts(BucketCell of) {
		this.latest = of.latest;
		this.packed = of.packed;
		this.counts = (of.counts != null) ? of.counts.clone() : null;
		this.older = of.older;
		value(of.value());
	}

}
