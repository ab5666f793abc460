package dev.sluice.execution;

/**
 * Urgency of a task within its queue. Levels order the waiting tasks of one queue; they
 * never interrupt the running one and mean nothing between queues.
 *
 * @since 0.1.0
 */
public enum Level {

	/**
	 * Runs before every waiting {@link #NORMAL} task of its queue.
	 */
	HIGH,

	/**
	 * Runs when no {@link #HIGH} task of its queue waits.
	 */
	NORMAL

}
