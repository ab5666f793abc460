package dev.sluice.benchmarks.batches;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Items that some producers spread over the slots in rotation, so many to each that all
 * batches fill. The calling thread is the first producer.
 */
final class Load {

	/** Items of a round. */
	static final int ITEMS = 100_000;

	private static final Integer ONE = 1;

	private static final long POLL_NANOS = 50_000;

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final int slots;

	private final int producers;

	private final ExecutorService others;

	Load(int slots, int producers) {
		this.slots = slots;
		this.producers = producers;
		this.others = Threads.pool(producers);
	}

	/** Pushes the items of one round and waits until all of them have arrived. */
	void run(Batcher batcher, CountingPump pump) {
		long expected = pump.count() + ITEMS;
		int share = ITEMS / this.producers;
		CompletableFuture<?>[] ends = new CompletableFuture<?>[this.producers - 1];
		for (int other = 0; other < ends.length; other++) {
			ends[other] = CompletableFuture.runAsync(() -> push(batcher, share), this.others);
		}
		push(batcher, share);
		CompletableFuture.allOf(ends).join();
		long start = System.nanoTime();
		while (pump.count() < expected) {
			LockSupport.parkNanos(POLL_NANOS);
			if (System.nanoTime() - start > PATIENCE_NANOS) {
				throw new IllegalStateException(batcher + " lost items: " + pump.count() + " of " + expected);
			}
		}
	}

	private void push(Batcher batcher, int count) {
		int slot = 0;
		for (int i = 0; i < count; i++) {
			batcher.push(ONE, slot);
			if (++slot == this.slots) {
				slot = 0;
			}
		}
	}

}
