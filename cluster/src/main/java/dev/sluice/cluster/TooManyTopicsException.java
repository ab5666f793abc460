package dev.sluice.cluster;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when a session exceeds its maximum number of topics.
 *
 * @since 0.1.0
 */
public class TooManyTopicsException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param sessionId the id of the session
	 * @param limit the maximum number of topics
	 */
	public TooManyTopicsException(String sessionId, int limit) {
		super("Session '" + sessionId + "' cannot join another topic; the limit is " + limit);
	}

}
