package dev.sluice.batch;

import java.util.List;

/**
 * Callback for batches that are given up, so that none is lost silently.
 *
 * @param <T> the type of the items
 * @since 0.1.0
 */
@FunctionalInterface
public interface BatchErrorHandler<T> {

	/**
	 * Called once for each failed batch that is not retried, before the futures of its
	 * items fail, by the thread that received the failure. No lock is held, but the batch
	 * counts as in flight until this method returns. An exception is caught and counted
	 * ({@link BatchSnapshot#callbackFailures()}).
	 * @param items the items, valid until this returns
	 * @param slot the slot to which they were pushed
	 * @param failure the failure of the pump or of its stage, or the exception with which
	 * the executor rejected the call
	 */
	void handle(List<T> items, int slot, Throwable failure);

}
