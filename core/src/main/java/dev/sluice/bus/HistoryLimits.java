package dev.sluice.bus;

import java.time.Duration;

/**
 * Bounds of the history of a name, with the number of replicas that must confirm a
 * message.
 *
 * @param size the maximum number of messages; zero for none
 * @param time the maximum time for which a message is kept
 * @param waitReplicas the number of replicas of a server that must confirm a message
 * before it counts as published; ignored by a bus without replicas
 * @since 0.1.0
 */
public record HistoryLimits(int size, Duration time, int waitReplicas) {

	/** Rejects values that are out of range. */
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
	 * Creates bounds of a history that requires no confirmation by replicas.
	 * @param size the maximum number of messages; zero for none
	 * @param time the maximum time for which a message is kept
	 */
	public HistoryLimits(int size, Duration time) {
		this(size, time, 0);
	}

}
