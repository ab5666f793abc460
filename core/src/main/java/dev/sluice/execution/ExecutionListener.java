package dev.sluice.execution;

/**
 * Callback for the end of each task, for example to record metrics. Setting one makes the
 * executor read its clock three times a task; without one, nothing is paid.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ExecutionListener {

	/**
	 * Called once for each task, before its future ends, by the thread that ends it; no
	 * lock is held. Should be quick. What it throws is caught and counted
	 * ({@link ExecutorSnapshot#listenerFailures()}) and alters nothing.
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
