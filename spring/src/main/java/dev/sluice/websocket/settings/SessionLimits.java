package dev.sluice.websocket.settings;

import java.time.Duration;

import dev.sluice.websocket.SendOverflow;

import org.springframework.util.Assert;

/**
 * Limits of one session.
 *
 * @param maxTextMessageSize the largest text that is taken from a client, in bytes; a
 * larger one closes the session with 1009, unless its handler has set another size by
 * {@link org.springframework.web.socket.WebSocketSession#setTextMessageSizeLimit}
 * @param maxBinaryMessageSize the largest binary message
 * @param containerSizes whether the sizes that the container has for a session, unless
 * they are its 64 KB by default, come before these
 * @param inbound when the reading of messages stops
 * @param send the time in which the container must have sent a message, and the bytes
 * that may wait to be sent, a few hundred for the objects of each message among them; a
 * single message is taken however large it is
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
