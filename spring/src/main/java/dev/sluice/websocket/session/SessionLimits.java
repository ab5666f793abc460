package dev.sluice.websocket.session;

import java.time.Duration;

import dev.sluice.websocket.SendLimits;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.inbound.InboundPressure;

/**
 * What one session may take of the server.
 *
 * @param maxTextMessageSize the largest text that is taken from a client, in bytes
 * @param maxBinaryMessageSize the largest binary message
 * @param containerSizes whether the sizes that the container has for a session, where it
 * has any, come before these
 * @param inbound when the reading of messages stops
 * @param sendTimeLimit the time in which the container must have sent a message
 * @param sendBufferSizeLimit the bytes that may wait to be sent
 * @param sendOverflow what happens when there are more
 */
public record SessionLimits(int maxTextMessageSize, int maxBinaryMessageSize, boolean containerSizes,
		InboundPressure.Marks inbound, Duration sendTimeLimit, int sendBufferSizeLimit, SendOverflow sendOverflow) {

	public static final SessionLimits DEFAULTS = new SessionLimits(64 * 1024, 64 * 1024, false,
			InboundPressure.Marks.DEFAULTS, Duration.ofSeconds(10), 512 * 1024, SendOverflow.TERMINATE);

	public SessionLimits {
		if (maxTextMessageSize <= 0 || maxBinaryMessageSize <= 0) {
			throw new IllegalArgumentException(
					"Sizes of messages must be greater than 0: " + maxTextMessageSize + ", " + maxBinaryMessageSize);
		}
		if (sendTimeLimit.toMillis() <= 0) {
			throw new IllegalArgumentException("'sendTimeLimit' must be at least a millisecond: " + sendTimeLimit);
		}
		if (sendBufferSizeLimit <= 0) {
			throw new IllegalArgumentException("'sendBufferSizeLimit' must be greater than 0: " + sendBufferSizeLimit);
		}
	}

	public SessionLimits withMaxMessageSizes(int text, int binary) {
		return new SessionLimits(text, binary, this.containerSizes, this.inbound, this.sendTimeLimit,
				this.sendBufferSizeLimit, this.sendOverflow);
	}

	public SessionLimits withContainerSizes(boolean containerSizes) {
		return new SessionLimits(this.maxTextMessageSize, this.maxBinaryMessageSize, containerSizes, this.inbound,
				this.sendTimeLimit, this.sendBufferSizeLimit, this.sendOverflow);
	}

	public SessionLimits withInbound(InboundPressure.Marks marks) {
		return new SessionLimits(this.maxTextMessageSize, this.maxBinaryMessageSize, this.containerSizes, marks,
				this.sendTimeLimit, this.sendBufferSizeLimit, this.sendOverflow);
	}

	public SessionLimits withSendTimeLimit(Duration limit) {
		return new SessionLimits(this.maxTextMessageSize, this.maxBinaryMessageSize, this.containerSizes, this.inbound,
				limit, this.sendBufferSizeLimit, this.sendOverflow);
	}

	public SessionLimits withSendBufferSizeLimit(int bytes) {
		return new SessionLimits(this.maxTextMessageSize, this.maxBinaryMessageSize, this.containerSizes, this.inbound,
				this.sendTimeLimit, bytes, this.sendOverflow);
	}

	SessionLimits withSendLimits(SendLimits limits) {
		return withSendTimeLimit(limits.time()).withSendBufferSizeLimit(limits.bufferSize());
	}

	public SessionLimits withSendOverflow(SendOverflow overflow) {
		return new SessionLimits(this.maxTextMessageSize, this.maxBinaryMessageSize, this.containerSizes, this.inbound,
				this.sendTimeLimit, this.sendBufferSizeLimit, overflow);
	}

}
