package dev.sluice.cluster;

import java.time.Duration;

/**
 * Bounds of the history of a name.
 *
 * @param size the maximum number of messages; zero for none
 * @param time the maximum time for which a message is kept
 * @since 0.1.0
 */
public record HistoryLimits(int size, Duration time) {

	/** Rejects bounds that are none. */
	public HistoryLimits {
		if (size < 0) {
			throw new IllegalArgumentException("'size' must not be negative: " + size);
		}
		if (time.toMillis() < 1) {
			throw new IllegalArgumentException("'time' must be at least 1ms: " + time);
		}
	}

}
