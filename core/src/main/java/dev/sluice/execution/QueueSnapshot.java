package dev.sluice.execution;

import java.time.Duration;

/**
 * State of one queue at one instant; values may be stale when read.
 *
 * @param id the queue's id
 * @param state the queue's state
 * @param high how many {@link Level#HIGH} tasks waited
 * @param normal how many {@link Level#NORMAL} tasks waited
 * @param oldestWait how long the oldest waiting task had waited; zero if none waited or
 * the executor does not record waits
 * ({@link SequentialLeveledTaskExecutor.Builder#recordWaits})
 * @since 0.1.0
 */
public record QueueSnapshot(String id, QueueState state, int high, int normal, Duration oldestWait) {

	/**
	 * Checks the counts.
	 * @throws IllegalArgumentException if a count is negative
	 */
	public QueueSnapshot {
		if (high < 0 || normal < 0) {
			throw new IllegalArgumentException("'high' and 'normal' must not be negative: " + high + ", " + normal);
		}
	}

	/**
	 * Returns how many tasks waited, of both levels.
	 * @return the number of waiting tasks
	 */
	public int waiting() {
		return this.high + this.normal;
	}

}
