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
	 * Processes a batch. The consumer's executor makes the calls of a slot one after
	 * another, in the order of the batches. Their stages may overlap, up to the
	 * consumer's {@link BatchConsumer.Builder#maxConcurrency(int) concurrency}. A call
	 * should therefore start the work and return; for work that blocks see
	 * {@link #blocking}.
	 * @param items the items, in the order of their arrival: at least one, at most the
	 * consumer's {@link BatchConsumer.Builder#batchSize(int) batch size}. The list is
	 * unmodifiable and is reused for another batch after the stage has ended; copy it to
	 * keep it longer, see {@link #copying}
	 * @param slot the slot to which all of them were pushed
	 * @return a stage that completes when the batch has been processed; exceptionally if
	 * the batch has failed, with the same effect as throwing
	 * @throws Exception if the batch has failed
	 */
	CompletionStage<?> pump(List<T> items, int slot) throws Exception;

	/**
	 * Processes a batch as {@link #pump(List, int)} does, with a signal for giving up the
	 * work. The consumer calls this method. By default, the signal is ignored.
	 * @param items the items, in the order of their arrival
	 * @param slot the slot to which all of them were pushed
	 * @param cancellation is cancelled when the consumer stops without draining
	 * @return a stage that completes when the batch has been processed; exceptionally if
	 * the batch has failed
	 * @throws Exception if the batch has failed
	 */
	default CompletionStage<?> pump(List<T> items, int slot, CancellationSignal cancellation) throws Exception {
		return pump(items, slot);
	}

	/**
	 * Returns a pump that receives a signal when its work may be given up.
	 * @param <T> the type of the items
	 * @param pump processes the batches, each with its signal
	 * @return a pump for the consumer
	 */
	static <T> BatchPump<T> cancellable(Cancellable<T> pump) {
		return new CancellablePump<>(Objects.requireNonNull(pump, "'pump' must not be null"));
	}

	/**
	 * Returns a pump whose work blocks. Batches are passed to an executor in their order,
	 * so each batch in flight uses one thread.
	 * @param <T> the type of the items
	 * @param executor runs the work
	 * @param work processes a batch
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
	 * Returns a pump that receives its own copy of the list with each call.
	 * @param <T> the type of the items
	 * @param pump processes the copies, which are unmodifiable
	 * @return a pump that copies each batch
	 */
	static <T> BatchPump<T> copying(BatchPump<T> pump) {
		Objects.requireNonNull(pump, "'pump' must not be null");
		return cancellable((items, slot, cancellation) -> pump.pump(List.copyOf(items), slot, cancellation));
	}

	/**
	 * Pump that has processed a batch when the call returns.
	 *
	 * @param <T> the type of the items
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Blocking<T> {

		/**
		 * Processes a batch.
		 * @param items the items, as in {@link BatchPump#pump(List, int)}, valid until
		 * this returns
		 * @param slot the slot to which all of them were pushed
		 * @throws Exception if the batch has failed
		 */
		void pump(List<T> items, int slot) throws Exception;

	}

	/**
	 * Pump that receives a signal when its work may be given up.
	 *
	 * @param <T> the type of the items
	 * @since 0.1.0
	 */
	@FunctionalInterface
	interface Cancellable<T> {

		/**
		 * Processes a batch.
		 * @param items the items, as in {@link BatchPump#pump(List, int)}
		 * @param slot the slot to which all of them were pushed
		 * @param cancellation is cancelled when the consumer stops without draining
		 * @return a stage that completes when the batch has been processed; exceptionally
		 * if the batch has failed or was given up
		 * @throws Exception if the batch has failed
		 */
		CompletionStage<?> pump(List<T> items, int slot, CancellationSignal cancellation) throws Exception;

	}

}
