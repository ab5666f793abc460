package dev.sluice.benchmarks.batches;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Reads every item of a batch and counts them, for one slot at a time. */
final class CountingPump {

	private final AtomicLong[] counts;

	CountingPump(int slots) {
		this.counts = new AtomicLong[slots];
		for (int slot = 0; slot < slots; slot++) {
			this.counts[slot] = new AtomicLong();
		}
	}

	/** Adds up the items, each of which is 1. */
	void accept(List<Integer> items, int slot) {
		int sum = 0;
		for (int i = 0; i < items.size(); i++) {
			sum += items.get(i);
		}
		this.counts[slot].addAndGet(sum);
	}

	long count() {
		long sum = 0;
		for (AtomicLong count : this.counts) {
			sum += count.get();
		}
		return sum;
	}

}
