package dev.sluice.throttle;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** The permits of the last buckets, a count each; guarded, but for the reading. */
abstract class BucketCell extends RateCell {

	/*
	 * Counts are kept by age: that of the bucket that starts at "latest", the one before,
	 * and so on; "used" is their sum. Counts that are small enough for all of them to fit
	 * share one word ("packed"); the first that is not makes an array of them.
	 *
	 * Everything that only reads may be called without the guard, and then gives a result
	 * that is to be discarded if anything changed meanwhile.
	 */

	private static final int MOST_PACKED = 16;

	long latest;

	int used;

	private long packed;

	private int @Nullable [] counts;

	BucketCell(Terms terms) {
		super(terms);
		this.latest = terms.buckets.start(terms.clock.nanoTime());
		if (terms.bucketCount > MOST_PACKED) {
			this.counts = new int[terms.bucketCount];
		}
	}

	final int count(int age) {
		int[] counts = this.counts;
		if (counts != null) {
			return counts[age];
		}
		int bits = this.terms.bucketBits;
		return (int) (this.packed >>> age * bits & (1L << bits) - 1);
	}

	/** Returns the greatest age, up to one, at which something may have been used. */
	final int oldest(int age) {
		return (this.counts != null) ? age
				: Math.min(age, (Long.SIZE - 1 - Long.numberOfLeadingZeros(this.packed)) / this.terms.bucketBits);
	}

	/** Returns how many buckets have passed out of the window since the latest. */
	final int passed(long start, long latest) {
		long passed = (start - latest) / this.terms.buckets.length;
		return (int) Math.max(0, Math.min(passed, this.terms.bucketCount));
	}

	/**
	 * Returns whether a count outgrows its place in the word in the bucket that starts
	 * then.
	 */
	final boolean isTooLarge(int permits, long start) {
		long first = (start == this.latest) ? count(0) : 0;
		return this.counts == null && first + permits > (1L << this.terms.bucketBits) - 1;
	}

	/** Adds permits to the bucket that starts then, or to a later one. */
	final void add(int permits, long start, int @Nullable [] larger) {
		if (larger != null && this.counts == null) {
			for (int age = 0; age < larger.length; age++) {
				larger[age] = count(age);
			}
			this.counts = larger;
		}
		advance(start);
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
		if (start == this.latest) {
			return;
		}
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
		long start = this.terms.buckets.start(now);
		add(permits, start, isTooLarge(permits, start) ? new int[this.terms.bucketCount] : null);
		value(value() + permits);
	}

	@Override
	void refund(int permits, long takenAt, long now) {
		advance(this.terms.buckets.start(now));
		long age = (this.latest - this.terms.buckets.start(takenAt)) / this.terms.buckets.length;
		if (age < this.terms.bucketCount) {
			subtract((int) age, Math.min(permits, count((int) age)));
		}
		value(value() + 1);
		this.terms.tally.admitted.add(-permits - 1L);
	}

	@Override
	void adopt(RateCell old, long now) {
		if (old instanceof BucketCell window && old.getClass() == getClass()
				&& window.terms.buckets.length == this.terms.buckets.length) {
			this.counts = new int[this.terms.bucketCount];
			this.latest = window.latest;
			for (int age = 0; age < Math.min(this.counts.length, window.terms.bucketCount); age++) {
				this.counts[age] = window.count(age);
				this.used += this.counts[age];
			}
		}
		else {
			int used = old.used(now);
			add(used, this.terms.buckets.start(now), new int[this.terms.bucketCount]);
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

	/** Takes away what another cell, of buckets of the same length, has used. */
	final void subtract(BucketCell other, long now) {
		advance(this.terms.buckets.start(now));
		other.advance(this.latest);
		for (int age = 0; age < this.terms.bucketCount; age++) {
			subtract(age, other.count(age));
		}
	}

	private void subtract(int age, int permits) {
		if (this.counts != null) {
			this.counts[age] -= permits;
		}
		else {
			this.packed -= (long) permits << age * this.terms.bucketBits;
		}
		this.used -= permits;
	}

	final void copyCounts(BucketCell of) {
		this.latest = of.latest;
		this.packed = of.packed;
		this.counts = (of.counts != null) ? of.counts.clone() : null;
		this.used = of.used;
	}

}
