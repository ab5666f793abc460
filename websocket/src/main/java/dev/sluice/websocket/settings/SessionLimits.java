package dev.sluice.websocket.settings;

import java.time.Duration;

import dev.sluice.websocket.SendOverflow;

import org.springframework.util.Assert;

/**
 * Limits of one session.
 *
 * @param maxTextMessageSize the maximum size of a text from a client, in bytes; a larger
 * one closes the session with 1009, unless its handler has set another size by
 * {@link org.springframework.web.socket.WebSocketSession#setTextMessageSizeLimit}
 * @param maxBinaryMessageSize the largest binary message
 * @param containerSizes whether the container's sizes for a session take precedence,
 * unless they are its default of 64 KB
 * @param inbound the limits at which reading stops
 * @param send the maximum time for the container to send a message, and the maximum
 * number of bytes that wait to be sent, including a few hundred for the objects of each
 * message; a single message is always accepted
 * @param sendOverflow strategy for messages that exceed the send buffer
 */
public record SessionLimits(int maxTextMessageSize, int maxBinaryMessageSize, boolean containerSizes,
		InboundLimits inbound, SendLimits send, SendOverflow sendOverflow) {

	/** 64 KB a message; 10 seconds and 512 KB for messages to the client. */
	public static final SessionLimits DEFAULTS = new SessionLimits(64 * 1024, 64 * 1024, false, InboundLimits.DEFAULTS,
			new SendLimits(Duration.ofSeconds(10), 512 * 1024), SendOverflow.TERMINATE);

	public SessionLimits {
		Assert.isTrue(maxTextMessageSize > 0 && maxBinaryMessageSize > 0,
				() -> "Sizes of messages must be greater than 0: " + maxTextMessageSize + ", " + maxBinaryMessageSize);
	}

	/** Returns these limits with others for messages to the client. */
	public SessionLimits withSend(SendLimits send) {
		return new SessionLimits(this.maxTextMessageSize, this.maxBinaryMessageSize, this.containerSizes, this.inbound,
				send, this.sendOverflow);
	}

}
