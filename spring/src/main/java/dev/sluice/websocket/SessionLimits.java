package dev.sluice.websocket;

import java.time.Duration;

/**
 * What one session may take of the server.
 *
 * @param maxMessageSize the largest message that is taken from a client, in bytes
 * @param sendTimeLimit the time in which the container must have sent a message
 * @param sendBufferSizeLimit the bytes that may wait to be sent
 */
record SessionLimits(int maxMessageSize, Duration sendTimeLimit, int sendBufferSizeLimit) {

	static final SessionLimits DEFAULTS = new SessionLimits(64 * 1024, Duration.ofSeconds(10), 512 * 1024);

	SessionLimits {
		if (maxMessageSize <= 0) {
			throw new IllegalArgumentException("'maxMessageSize' must be greater than 0: " + maxMessageSize);
		}
		if (sendTimeLimit.toMillis() <= 0) {
			throw new IllegalArgumentException("'sendTimeLimit' must be at least a millisecond: " + sendTimeLimit);
		}
		if (sendBufferSizeLimit <= 0) {
			throw new IllegalArgumentException("'sendBufferSizeLimit' must be greater than 0: " + sendBufferSizeLimit);
		}
	}

	SessionLimits withMaxMessageSize(int bytes) {
		return new SessionLimits(bytes, this.sendTimeLimit, this.sendBufferSizeLimit);
	}

	SessionLimits withSendTimeLimit(Duration limit) {
		return new SessionLimits(this.maxMessageSize, limit, this.sendBufferSizeLimit);
	}

	SessionLimits withSendBufferSizeLimit(int bytes) {
		return new SessionLimits(this.maxMessageSize, this.sendTimeLimit, bytes);
	}

}
