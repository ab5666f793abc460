package dev.sluice.websocket;

import java.time.Instant;

import dev.sluice.execution.Level;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of one message to a client, without its payload. User name, type and
 * destination are cut to 256 characters.
 *
 * @param sessionId the session's id
 * @param user the name of the session's principal, or {@code null} for an anonymous one;
 * for STOMP the principal of CONNECT
 * @param type the type of a message that was written as JSON: the value of its type
 * property if the session or a map sets it, otherwise the decapitalized simple name of
 * its class; {@code null} for texts, bytes and STOMP
 * @param destination the destination of a STOMP message, otherwise {@code null}
 * @param level the level at which it was queued
 * @param size the bytes of its payload
 * @param queuedAt when it was queued
 * @param sentAt the time at which the container had sent it, or it failed
 * @param outcome which of the two
 * @since 0.1.0
 */
public record SentMessage(String sessionId, @Nullable String user, @Nullable String type, @Nullable String destination,
		Level level, int size, Instant queuedAt, Instant sentAt, Outcome outcome) {

	/**
	 * Outcome of a message to a client.
	 *
	 * @since 0.1.0
	 */
	public enum Outcome {

		/**
		 * The container has sent it.
		 */
		SENT,

		/**
		 * The message was not sent, or the container cannot determine it.
		 */
		FAILED

	}

}
