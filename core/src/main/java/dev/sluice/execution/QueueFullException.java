package dev.sluice.execution;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when a task is rejected because its queue is full. It has no stack trace: it is
 * made on the submitter's path, as often as a flood demands.
 *
 * @since 0.1.0
 */
public class QueueFullException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	private final String queueId;

	private final int capacity;

	/**
	 * Creates the exception.
	 * @param queueId the full queue
	 * @param capacity how many tasks may wait in it
	 */
	public QueueFullException(String queueId, int capacity) {
		super("Queue '" + queueId + "' is full; its capacity is " + capacity);
		this.queueId = queueId;
		this.capacity = capacity;
	}

	/**
	 * Returns the id of the full queue.
	 * @return the queue's id
	 */
	public String queueId() {
		return this.queueId;
	}

	/**
	 * Returns how many tasks may wait in the queue.
	 * @return the capacity, greater than 0
	 */
	public int capacity() {
		return this.capacity;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
