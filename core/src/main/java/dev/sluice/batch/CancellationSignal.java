package dev.sluice.batch;

/**
 * Signal to the pump that its consumer {@linkplain BatchConsumer#complete stops without
 * draining}, so that work on a batch can end early. A pump may ignore the signal, and no
 * thread is interrupted. A pump that gives up its work fails its batch, which is then not
 * retried.
 * <p>
 * Each call of the pump has its own signal, which is valid until the stage of the call
 * has ended. Methods are safe for use by many threads and do not block.
 *
 * @since 0.1.0
 */
public interface CancellationSignal {

	/**
	 * Returns whether the consumer stops without draining.
	 * @return whether work on the batch may be given up
	 */
	boolean isCancelled();

	/**
	 * Adds a callback for the cancellation, for example one that cancels a request. It is
	 * called once: immediately by the caller if the signal is already cancelled,
	 * otherwise by the thread that stops the consumer. It is not called after the stage
	 * of the call has ended. An exception is caught and counted
	 * ({@link BatchSnapshot#callbackFailures()}).
	 * @param callback the callback, which should return quickly
	 */
	void onCancel(Runnable callback);

}
