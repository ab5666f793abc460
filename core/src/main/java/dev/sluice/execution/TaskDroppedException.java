package dev.sluice.execution;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when a task is dropped by its queue's {@link OverflowStrategy} before it has
 * started. It has no stack trace, like {@link QueueFullException}.
 *
 * @since 0.1.0
 */
public class TaskDroppedException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	private final String queueId;

	/**
	 * Creates the exception.
	 * @param queueId the queue that was full
	 * @param strategy the strategy that chose the task
	 */
	public TaskDroppedException(String queueId, OverflowStrategy strategy) {
		super("Task dropped by " + strategy + " because queue '" + queueId + "' was full");
		this.queueId = queueId;
	}

	/**
	 * Returns the id of the full queue.
	 * @return the queue's id
	 */
	public String queueId() {
		return this.queueId;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
