package dev.sluice.websocket.settings;

import java.time.Duration;

/**
 * Limits of what is sent to one client.
 *
 * @param time the time in which the container must have sent a message
 * @param bufferSize the bytes that may wait to be sent
 * @since 0.1.0
 */
public record SendLimits(Duration time, int bufferSize) {

	/**
	 * Creates limits.
	 * @throws IllegalArgumentException if the time is less than a millisecond, or the
	 * size is not positive
	 */
	public SendLimits {
		if (time.toMillis() <= 0) {
			throw new IllegalArgumentException("'time' must be at least a millisecond: " + time);
		}
		if (bufferSize <= 0) {
			throw new IllegalArgumentException("'bufferSize' must be greater than 0: " + bufferSize);
		}
	}

}
