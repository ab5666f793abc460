package dev.sluice.cluster;

import java.time.Duration;

/**
 * Bounds of the history of a name, and what keeps it from being lost.
 *
 * @param size the maximum number of messages; zero for none
 * @param time the maximum time for which a message is kept
 * @param waitReplicas the number of replicas of a server that must confirm a message
 * before it counts as published, of a bus that has such
 * @since 0.1.0
 */
public record HistoryLimits(int size, Duration time, int waitReplicas) {

	/** Rejects bounds that are none. */
	public HistoryLimits {
		if (size < 0) {
			throw new IllegalArgumentException("'size' must not be negative: " + size);
		}
		if (time.toMillis() < 1) {
			throw new IllegalArgumentException("'time' must be at least 1ms: " + time);
		}
		if (waitReplicas < 0) {
			throw new IllegalArgumentException("'waitReplicas' must not be negative: " + waitReplicas);
		}
	}

	/**
	 * Creates bounds of a history that no replica need confirm.
	 * @param size the maximum number of messages; zero for none
	 * @param time the maximum time for which a message is kept
	 */
	public HistoryLimits(int size, Duration time) {
		this(size, time, 0);
	}

}
