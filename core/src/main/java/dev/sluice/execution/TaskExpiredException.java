package dev.sluice.execution;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when the time to live of a task has passed before its turn, so that it never
 * started. It has no stack trace, like {@link QueueFullException}.
 *
 * @since 0.1.0
 */
public class TaskExpiredException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	private final String queueId;

	/**
	 * Creates the exception.
	 * @param queueId the queue in which the task waited
	 */
	public TaskExpiredException(String queueId) {
		super("Task's time to live passed while it waited in queue '" + queueId + "'");
		this.queueId = queueId;
	}

	/**
	 * Returns the id of the queue in which the task waited.
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
