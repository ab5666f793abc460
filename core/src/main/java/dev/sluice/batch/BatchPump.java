package dev.sluice.batch;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Processes the batches of a {@link BatchConsumer}.
 *
 * @param <T> the type of the items
 * @since 0.1.0
 */
@FunctionalInterface
public interface BatchPump<T> {

	/**
	 * Takes a batch. The calls of a slot are made one after another, in the order of the
	 * batches, by the consumer's executor; it is the stages that overlap, up to the
	 * consumer's {@link BatchConsumer.Builder#maxConcurrency(int) concurrency}. So a call
	 * should start the work and return; for work that blocks see {@link #blocking}.
	 * @param items the items, in the order of their arrival: at least one, at most the
	 * consumer's {@link BatchConsumer.Builder#batchSize(int) batch size}. The list cannot
	 * be changed, and is used again for another batch when the stage has ended: who keeps
	 * it longer copies it; see {@link #copying}
	 * @param slot the slot to which all of them were pushed
	 * @return ends when the batch has been dealt with; exceptionally if it has failed,
	 * which is the same as throwing
	 * @throws Exception if the batch has failed
	 */
	CompletionStage<?> pump(List<T> items, int slot) throws Exception;

	/**
	 * Takes a batch, as {@link #pump(List, int)} does, with a signal that tells when the
	 * work may be given up. This is what the consumer calls. By default, the signal is
	 * ignored.
	 * @param items the items, in the order of their arrival
	 * @param slot the slot to which all of them were pushed
	 * @param cancellation is cancelled when the consumer stops without draining
	 * @return ends when the batch has been dealt with; exceptionally if it has failed
	 * @throws Exception if the batch has failed
	 */
	default CompletionStage<?> pump(List<T> items, int slot, CancellationSignal cancellation) throws Exception {
		return pump(items, slot);
	}

	/**
	 * Returns a pump that gets a signal when its work may be given up.
	 * @param <T> the type of the items
	 * @param pump takes the batches, each with its signal
	 * @return a pump for the consumer
	 */
	static <T> BatchPump<T> cancellable(Cancellable<T> pump) {
		return new CancellablePump<>(Objects.requireNonNull(pump, "'pump' must not be null"));
	}

	/**
	 * Returns a pump whose work blocks. Each batch is given to an executor in the order
	 * of the batches, so that as many threads are used as batches of a slot may be in
	 * flight.
	 * @param <T> the type of the items
	 * @param executor runs the work
	 * @param work what to do with a batch
	 * @return a pump whose calls do not block, unless the executor does
	 */
	static <T> BatchPump<T> blocking(Executor executor, Blocking<T> work) {
		Objects.requireNonNull(executor, "'executor' must not be null");
		Objects.requireNonNull(work, "'work' must not be null");
		return (items, slot) -> CompletableFuture.runAsync(() -> {
			try {
				work.pump(items, slot);
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		}, executor);
	}

	/**
	 * Returns a pump that is given a list of its own with each call, which it may keep.
	 * @param <T> the type of the items
	 * @param pump takes the copies, which cannot be changed
	 * @return a pump that copies each batch
	 */
	static <T> BatchPump<T> copying(BatchPump<T> pump) {
		Objects.requireNonNull(pump, "'pump' must not be null");
		return cancellable((items, slot, cancellation) -> pump.pump(List.copyOf(items), slot, cancellation));
	}

	/**
	 * Pump whose work on a batch is done when the call returns.
	 *
	 * @param <T> the type of the items
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Blocking<T> {

		/**
		 * Deals with a batch.
		 * @param items the items, as in {@link BatchPump#pump(List, int)}, valid until
		 * this returns
		 * @param slot the slot to which all of them were pushed
		 * @throws Exception if the batch has failed
		 */
		void pump(List<T> items, int slot) throws Exception;

	}

	/**
	 * Pump that gets a signal when its work may be given up.
	 *
	 * @param <T> the type of the items
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Cancellable<T> {

		/**
		 * Takes a batch.
		 * @param items the items, as in {@link BatchPump#pump(List, int)}
		 * @param slot the slot to which all of them were pushed
		 * @param cancellation is cancelled when the consumer stops without draining
		 * @return ends when the batch has been dealt with; exceptionally if it has failed
		 * or was given up
		 * @throws Exception if the batch has failed
		 */
		CompletionStage<?> pump(List<T> items, int slot, CancellationSignal cancellation) throws Exception;

	}

}
