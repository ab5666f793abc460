package dev.sluice.benchmarks.batches;

import java.time.Duration;

/** Gathers items into batches of a slot, which go to a {@link CountingPump}. */
interface Batcher extends AutoCloseable {

	int BATCH_SIZE = 100;

	void push(Integer item, int slot);

	@Override
	void close();

	/** How a batcher is made. */
	interface Factory {

		Batcher create(int slots, int capacity, Duration interval, CountingPump pump);

	}

}
