package dev.sluice.benchmarks.batches;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

import dev.sluice.batch.BatchConsumer;

/** {@link BatchConsumer} with its defaults: bounded, each item with its future. */
final class SluiceBatcher implements Batcher {

	private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

	private final ExecutorService pool = Threads.pool();

	private final BatchConsumer<Integer> consumer;

	SluiceBatcher(int slots, int capacity, Duration interval, CountingPump pump) {
		this.consumer = BatchConsumer.<Integer>builder()
			.slots(slots)
			.batchSize(BATCH_SIZE)
			.maxWaiting(capacity)
			.pushInterval(interval)
			.executor(this.pool)
			.build();
		this.consumer.start((items, slot) -> {
			pump.accept(items, slot);
			return DONE;
		});
	}

	@Override
	public void push(Integer item, int slot) {
		this.consumer.push(item, slot);
	}

	@Override
	public void close() {
		this.consumer.complete(false).join();
		this.pool.shutdown();
	}

}
