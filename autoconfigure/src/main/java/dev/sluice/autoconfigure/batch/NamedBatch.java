package dev.sluice.autoconfigure.batch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchSnapshot;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

/** Batch of the application: its consumer, its listener and its threads. */
final class NamedBatch {

	private static final Log logger = LogFactory.getLog(NamedBatch.class);

	private final BatchTarget target;

	private final BatchWorkers workers;

	private final BatchConsumer<Object> consumer;

	NamedBatch(BatchTarget target, BatchWorkers workers, BatchConsumer.Builder<Object> builder) {
		this.target = target;
		this.workers = workers;
		this.consumer = builder.executor(workers).build();
	}

	/** Logs a batch that is abandoned. */
	static void givenUp(String name, int items, int slot, Throwable failure) {
		logger.error("The listener of batch '" + name + "' failed; its batch is lost (items: " + items + ", slot: "
				+ slot + ")", failure);
	}

	BatchConsumer<Object> consumer() {
		return this.consumer;
	}

	void start(BeanFactory beans) {
		this.consumer.start(this.target.pump(beans, this.workers));
	}

	/**
	 * Drains the batch. Items that are not drained in time are discarded, and the
	 * listener is cancelled.
	 */
	CompletableFuture<@Nullable Void> finish(BatchStopTimes times) {
		return this.consumer.complete(true)
			.orTimeout(times.drain().toMillis(), TimeUnit.MILLISECONDS)
			.handle((result, timeout) -> (timeout != null) ? discard(times.cancel())
					: CompletableFuture.<@Nullable Void>completedFuture(null))
			.thenCompose((ended) -> ended);
	}

	private CompletableFuture<@Nullable Void> discard(Duration timeout) {
		BatchSnapshot snapshot = this.consumer.snapshot();
		logger.warn("Batch '" + this.target.batch() + "' was not drained in time (items discarded: "
				+ snapshot.waiting() + ", calls of its listener cancelled: " + snapshot.inFlight() + ")");
		return this.consumer.complete(false).completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Discards the remaining items and ends the threads. */
	void close() {
		this.consumer.complete(false);
		this.workers.close();
	}

}
