package dev.sluice.annotation;

/**
 * Action to take when there is no permit for a call.
 *
 * @since 0.1.0
 */
public enum Action {

	/** What {@code sluice.annotations.default-action} says, or else {@link #REJECT}. */
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
	 * The call is tried again later, and holds neither a thread nor a place in line
	 * meanwhile: after {@link WhenThrottled#delay()} at least, and no more than
	 * {@link WhenThrottled#maxRetries()} times, after which it is rejected. For methods
	 * whose callers do not block: those that are {@code @Async}, that return a
	 * {@link java.util.concurrent.CompletionStage CompletionStage}, {@code Mono} or
	 * {@code Flux}, or that handle messages, whose session goes on with its next message
	 * afterwards. With any other method the application does not start.
	 */
	RETRY,

	/**
	 * The call is left out, and the caller gets nothing: an empty {@code Optional},
	 * collection, {@code Mono} or {@code Flux}, a completed stage, or {@code null}.
	 */
	DROP

}
