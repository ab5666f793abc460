package dev.sluice.execution;

/**
 * Outcome of a task; each task has exactly one.
 *
 * @since 0.1.0
 */
public enum TaskOutcome {

	/**
	 * Ran and returned, or its stage completed normally.
	 */
	COMPLETED,

	/**
	 * Ran and threw, or its stage completed exceptionally.
	 */
	FAILED,

	/**
	 * Cancelled, or completed from outside, before it started.
	 */
	CANCELLED,

	/**
	 * Its time to live passed before it started.
	 */
	EXPIRED,

	/**
	 * Dropped before it started, by the overflow strategy or by completing it with a
	 * {@link TaskDroppedException}.
	 */
	DROPPED,

	/**
	 * Rejected: the queue was full, the executor was shut down, or no worker was
	 * available.
	 */
	REJECTED

}
