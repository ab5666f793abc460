package dev.sluice.websocket.settings;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * Limits of messages to one client.
 *
 * @param time the maximum time for the container to send a message
 * @param bufferSize the maximum number of bytes that wait to be sent
 * @since 0.1.0
 */
public record SendLimits(Duration time, int bufferSize) {

	/**
	 * Creates limits.
	 * @throws IllegalArgumentException if the time is less than a millisecond, or the
	 * size is not positive
	 */
	public SendLimits {
		Assert.isTrue(time.toMillis() > 0, () -> "'time' must be at least a millisecond: " + time);
		Assert.isTrue(bufferSize > 0, () -> "'bufferSize' must be greater than 0: " + bufferSize);
	}

}
