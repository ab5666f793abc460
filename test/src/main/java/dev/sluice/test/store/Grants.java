package dev.sluice.test.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Grants with their times. Each grant happened between a reading of the clock before the
 * call and a reading after it. A grant counts against a window only if both readings are
 * inside the window, so an excess is never reported by mistake.
 */
final class Grants {

	private record Grant(long before, long after) {

		boolean isWithin(long start, long end) {
			return this.before - start >= 0 && end - this.after > 0;
		}

	}

	private final List<Grant> grants = new ArrayList<>();

	private final long tolerance;

	Grants(Duration tolerance) {
		this.tolerance = tolerance.toNanos();
	}

	void add(long before, long after) {
		this.grants.add(new Grant(before, after));
	}

	int size() {
		return this.grants.size();
	}

	/** Returns the excess of the fullest window over the bound of a rate. */
	long excess(Rate rate, int limit, Duration period) {
		long length = period.toNanos();
		return switch (rate) {
			case SLIDING_LOG -> fullest(length, 1) - limit;
			case FIXED_WINDOW -> fullest(length, length) - limit;
			case SLIDING_WINDOW, DYNAMIC_WINDOW -> fullest(length, length / Rate.BUCKETS) - limit;
			case TOKEN_BUCKET -> mostBeyondRefill(limit, length) - limit;
		};
	}

	/** Counts windows of a length that start at multiples of a step. */
	private long fullest(long length, long step) {
		return this.grants.stream().mapToLong((first) -> {
			long start = first.before - Math.floorMod(first.before, step);
			return count(start + ((step > 1) ? this.tolerance : 0), start + length - this.tolerance);
		}).max().orElse(0);
	}

	/** Counts the grants between any two grants, less the refill during that time. */
	private long mostBeyondRefill(int limit, long period) {
		long max = 0;
		for (Grant first : this.grants) {
			for (Grant last : this.grants) {
				if (last.after - first.before < 0) {
					continue;
				}
				long refilled = limit * (last.after - first.before + this.tolerance) / period;
				max = Math.max(max, count(first.before, last.after + 1) - refilled);
			}
		}
		return max;
	}

	private int count(long start, long end) {
		return (int) this.grants.stream().filter((grant) -> grant.isWithin(start, end)).count();
	}

}
