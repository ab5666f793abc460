package dev.sluice.execution;

/**
 * Callback for the end of each task, for example to record metrics. With a listener the
 * executor reads its clock three times for each task; without one, never.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ExecutionListener {

	/**
	 * Called once for each task, before its future ends, by the thread that ends it, and
	 * without a lock. It should return quickly. An exception is caught and counted
	 * ({@link ExecutorSnapshot#listenerFailures()}) and does not affect the task.
	 * @param queueId the task's queue
	 * @param level the task's level
	 * @param outcome how the task ended
	 * @param waitNanos how long it waited, in nanoseconds, for its turn or, without one,
	 * for its end
	 * @param runNanos how long it ran, its stage included, in nanoseconds; 0 for one that
	 * never started
	 */
	void taskEnded(String queueId, Level level, TaskOutcome outcome, long waitNanos, long runNanos);

}
