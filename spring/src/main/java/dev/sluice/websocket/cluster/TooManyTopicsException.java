package dev.sluice.websocket.cluster;

import java.util.concurrent.RejectedExecutionException;

/**
 * Thrown when a session is to join more topics than it may.
 *
 * @since 0.1.0
 */
public class TooManyTopicsException extends RejectedExecutionException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param sessionId the id of the session
	 * @param limit how many topics it may join
	 */
	public TooManyTopicsException(String sessionId, int limit) {
		super("Session '" + sessionId + "' cannot join another topic; the limit is " + limit);
	}

}
