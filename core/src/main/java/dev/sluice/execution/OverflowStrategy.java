package dev.sluice.execution;

/**
 * Strategy for tasks submitted to a full queue. The capacity counts the waiting tasks of
 * both levels, not the running one; tasks whose time to live has passed make room first.
 *
 * @since 0.1.0
 */
public enum OverflowStrategy {

	/**
	 * The newcomer's future fails with {@link QueueFullException}.
	 */
	REJECT,

	/**
	 * The future of the oldest waiting {@link Level#NORMAL} task fails with
	 * {@link TaskDroppedException} and the newcomer takes its place. Where only
	 * {@link Level#HIGH} tasks wait, a high newcomer replaces the oldest of them and a
	 * normal newcomer is itself the one dropped.
	 */
	DROP_OLDEST,

	/**
	 * The newcomer's future fails with {@link TaskDroppedException}.
	 */
	DROP_NEWEST,

	/**
	 * The submitting thread waits for a place, first come first served, up to the time
	 * set by {@link SequentialLeveledTaskExecutor.Builder#maxBlock}; then, and at once
	 * when the thread runs a task of the same executor, it is as with {@link #REJECT}.
	 */
	BLOCK

}
