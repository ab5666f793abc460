package dev.sluice.execution;

/**
 * Activity of a queue at the instant of a snapshot.
 *
 * @since 0.1.0
 */
public enum QueueState {

	/**
	 * Nothing runs and nothing waits.
	 */
	IDLE,

	/**
	 * Tasks wait for a worker.
	 */
	WAITING,

	/**
	 * A worker runs its tasks.
	 */
	RUNNING,

	/**
	 * A task's stage is not complete yet (or an earlier generation still drains); no
	 * thread is held.
	 */
	HELD,

	/**
	 * Paused; tasks gather until it is resumed.
	 */
	PAUSED

}
