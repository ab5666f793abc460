package dev.sluice.observation;

import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * Context of an observation of an exchange between nodes.
 *
 * @since 0.1.0
 */
public sealed interface ClusterExchangeContext permits ClusterSendingContext, ClusterReceivingContext {

	/**
	 * Returns the requested action.
	 * @return {@code find}, {@code send}, {@code post}, {@code close}, {@code publish} or
	 * {@code broadcast}
	 */
	String getAction();

	/**
	 * Returns the topic, which is in no low-cardinality key, because there may be many.
	 * @return its name, or {@code null} for an action without a topic
	 */
	@Nullable String getTopic();

	/**
	 * Returns how it ended.
	 * @return the outcome, {@link Outcome#UNKNOWN} until then
	 */
	Outcome getOutcome();

	/**
	 * Outcome of an exchange.
	 *
	 * @since 0.1.0
	 */
	enum Outcome {

		/** It has not ended. */
		UNKNOWN,

		/** The action is complete, or the bus has accepted the message. */
		COMPLETED,

		/** A node was lost before it answered, so that the result is unknown. */
		UNANSWERED,

		/** The action failed; an error. */
		FAILED;

		static Throwable reason(Throwable failure) {
			return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
					: failure;
		}

	}

}
