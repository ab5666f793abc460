package dev.sluice.redis.concurrency;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** When each holder of a mutex believed that it held it, by one clock. */
final class Holdings {

	private Holdings() {
	}

	/**
	 * A time in which a holder believed that it held.
	 *
	 * @param token its fencing token
	 * @param from when it had been granted the permit
	 * @param till when it was about to close it, was told that it is lost, or died
	 * @param lost whether it was told that it is lost
	 */
	record Holding(long token, long from, long till, boolean lost) {

		private boolean isLostWithin(long moment) {
			return this.lost && this.till - this.from <= moment;
		}

	}

	/**
	 * Returns those that began while another was not over; but for those told at once
	 * that they are lost, who had been granted it earlier, and have only awoken late.
	 * @param holdings all there were
	 * @param moment how long it may take until a holder is told that it is lost
	 */
	static List<String> overlaps(Collection<Holding> holdings, long moment) {
		List<Holding> sorted = new ArrayList<>(holdings);
		sorted.sort(Comparator.comparingLong(Holding::from));
		List<String> overlaps = new ArrayList<>();
		Holding longest = null;
		for (Holding holding : sorted) {
			if (longest != null && longest.till - holding.from > (longest.lost ? moment : 0)
					&& !holding.isLostWithin(moment)) {
				overlaps.add(holding + " began " + (longest.till - holding.from) + " before the end of " + longest);
			}
			if (longest == null || holding.till > longest.till) {
				longest = holding;
			}
		}
		return overlaps;
	}

	/** Returns those whose token is not above that of all that began before. */
	static List<Holding> outOfOrder(Collection<Holding> holdings) {
		List<Holding> sorted = new ArrayList<>(holdings);
		sorted.sort(Comparator.comparingLong(Holding::from));
		List<Holding> outOfOrder = new ArrayList<>();
		long latest = Long.MIN_VALUE;
		for (Holding holding : sorted) {
			if (holding.token <= latest) {
				outOfOrder.add(holding);
			}
			latest = Math.max(latest, holding.token);
		}
		return outOfOrder;
	}

}
