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
	 * Called once for each batch that failed and is not retried, before the futures of
	 * its items fail, by the thread that learnt of the failure; no lock is held, but the
	 * batch counts as in flight until this returns. What it throws is caught and counted
	 * ({@link BatchSnapshot#callbackFailures()}).
	 * @param items the items, valid until this returns
	 * @param slot the slot to which they were pushed
	 * @param failure what the pump, or its stage, failed with; or the exception with
	 * which the executor rejected to call it
	 */
	void handle(List<T> items, int slot, Throwable failure);

}
