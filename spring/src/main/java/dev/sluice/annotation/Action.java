package dev.sluice.annotation;

/**
 * Action to take when no permit is available for a call.
 *
 * @since 0.1.0
 */
public enum Action {

	/**
	 * Applies {@code sluice.annotations.default-action} if set, and otherwise
	 * {@link #REJECT}.
	 */
	DEFAULT,

	/**
	 * The call fails with a {@link dev.sluice.throttle.ThrottledException}, which is
	 * thrown, or is the failure of the {@link java.util.concurrent.CompletionStage
	 * CompletionStage} or {@link java.util.concurrent.Future Future} that the method
	 * returns.
	 */
	REJECT,

	/**
	 * The call joins the waiting line, first come, first served, and is rejected as soon
	 * as it is clear that its time will not suffice. A method that returns a
	 * {@link java.util.concurrent.CompletionStage CompletionStage}, {@code Mono} or
	 * {@code Flux} is called when its turn comes, without a thread waiting for it, and in
	 * the context of its caller; so is an {@code @Async} method, on a thread of its
	 * executor. Any other method blocks its caller until then.
	 */
	WAIT,

	/**
	 * Retries the call later. The call holds neither a thread nor a place in line while
	 * it waits. A retry follows after {@link WhenThrottled#delay()} at least; after
	 * {@link WhenThrottled#maxRetries()} retries the call is rejected. For methods whose
	 * callers do not block: methods that are {@code @Async}, that return a
	 * {@link java.util.concurrent.CompletionStage CompletionStage}, {@code Mono} or
	 * {@code Flux}, or that handle messages, whose session handles its next message
	 * afterwards. With any other method the application does not start.
	 */
	RETRY,

	/**
	 * Skips the call. The caller receives an empty result: an empty {@code Optional},
	 * collection, {@code Mono} or {@code Flux}, a completed stage, or {@code null}.
	 */
	DROP

}
