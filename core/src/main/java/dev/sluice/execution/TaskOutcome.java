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
	 * Dropped before it started: by the overflow strategy, or by whoever completed it
	 * with a {@link TaskDroppedException}.
	 */
	DROPPED,

	/**
	 * Rejected: full queue, executor shut down, or no worker to be had.
	 */
	REJECTED

}
