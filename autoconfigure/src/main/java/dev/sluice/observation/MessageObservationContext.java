package dev.sluice.observation;

import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.execution.Level;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.InvalidMessageException;
import dev.sluice.websocket.SessionClosedException;
import io.micrometer.observation.Observation;

/**
 * Context of an observation of a message.
 *
 * @since 0.1.0
 */
public final class MessageObservationContext extends Observation.Context {

	private final String sessionType;

	private final String sessionId;

	private final Level level;

	private volatile Outcome outcome = Outcome.UNKNOWN;

	/**
	 * Creates a context.
	 * @param sessionType the simple name of the session's class, {@code handler} or
	 * {@code stomp}
	 * @param sessionId the session's id
	 * @param level the message's level
	 */
	public MessageObservationContext(String sessionType, String sessionId, Level level) {
		this.sessionType = sessionType;
		this.sessionId = sessionId;
		this.level = level;
	}

	/**
	 * Returns the type of the session.
	 * @return the simple name of its class, {@code handler} or {@code stomp}
	 */
	public String getSessionType() {
		return this.sessionType;
	}

	/**
	 * Returns the id of the session, which is in no key, because each client has its own.
	 * @return the id
	 */
	public String getSessionId() {
		return this.sessionId;
	}

	/**
	 * Returns the level of the message.
	 * @return the level
	 */
	public Level getLevel() {
		return this.level;
	}

	/**
	 * Returns the outcome of the message.
	 * @return the outcome, {@link Outcome#UNKNOWN} until the message has ended
	 */
	public Outcome getOutcome() {
		return this.outcome;
	}

	void setOutcome(Outcome outcome) {
		this.outcome = outcome;
	}

	/**
	 * Outcome of a message.
	 *
	 * @since 0.1.0
	 */
	public enum Outcome {

		/** It has not ended. */
		UNKNOWN,

		/** It was handled, or sent. */
		COMPLETED,

		/** A limit rejected it. */
		THROTTLED,

		/** The client sent a message that cannot be read, or that has no handler. */
		INVALID,

		/** The message found no room, or was dropped; an error. */
		REJECTED,

		/** The session ended before. */
		CLOSED,

		/** The message could not be handled or sent; an error. */
		FAILED;

		static Outcome of(Throwable failure) {
			Throwable reason = (failure instanceof CompletionException && failure.getCause() != null)
					? failure.getCause() : failure;
			if (reason instanceof ThrottledException) {
				return THROTTLED;
			}
			if (reason instanceof InvalidMessageException) {
				return INVALID;
			}
			if (reason instanceof SessionClosedException) {
				return CLOSED;
			}
			return (reason instanceof RejectedExecutionException) ? REJECTED : FAILED;
		}

		boolean isError() {
			return this == REJECTED || this == FAILED;
		}

	}

}
