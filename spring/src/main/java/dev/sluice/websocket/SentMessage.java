package dev.sluice.websocket;

import java.time.Instant;

import dev.sluice.execution.Level;

/**
 * What became of one message that was to be sent to a client; its payload is not kept.
 *
 * @param sessionId the session's id
 * @param level the level at which it was queued
 * @param size the bytes of its payload
 * @param queuedAt when it was queued
 * @param sentAt when the container had sent it, or it failed
 * @param outcome which of the two
 * @since 0.1.0
 */
public record SentMessage(String sessionId, Level level, int size, Instant queuedAt, Instant sentAt, Outcome outcome) {

	/**
	 * Whether a message was sent.
	 *
	 * @since 0.1.0
	 */
	public enum Outcome {

		/**
		 * The container has sent it.
		 */
		SENT,

		/**
		 * It was not sent, or the container cannot tell.
		 */
		FAILED

	}

}
