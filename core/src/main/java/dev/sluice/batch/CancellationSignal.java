package dev.sluice.batch;

/**
 * Signal to the pump that its consumer {@linkplain BatchConsumer#complete stops without
 * draining}, so that work on a batch can end early. Nothing is forced: a pump that
 * ignores the signal ends its batch as ever, and no thread is interrupted. A pump that
 * gives its work up fails its batch, which is not retried then.
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
	 * called once: at once and by the caller if the signal is cancelled already,
	 * otherwise by the thread that stops the consumer; not at all after the stage of the
	 * call has ended. What it throws is caught and counted
	 * ({@link BatchSnapshot#callbackFailures()}).
	 * @param callback the callback, which should be quick
	 */
	void onCancel(Runnable callback);

}
