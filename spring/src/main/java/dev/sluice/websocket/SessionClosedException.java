package dev.sluice.websocket;

import java.io.IOException;

/**
 * Thrown when a message is not sent because its session is closed, or is being closed.
 *
 * @since 0.1.0
 */
public class SessionClosedException extends IOException {

	private static final long serialVersionUID = 1L;

	private final String sessionId;

	/**
	 * Creates the exception.
	 * @param sessionId the id of the session
	 */
	public SessionClosedException(String sessionId) {
		super("Session '" + sessionId + "' is closed");
		this.sessionId = sessionId;
	}

	/**
	 * Creates the exception for a session that ended abnormally.
	 * @param sessionId the id of the session
	 * @param reason why the session was closed
	 */
	public SessionClosedException(String sessionId, Throwable reason) {
		super("Session '" + sessionId + "' was closed", reason);
		this.sessionId = sessionId;
	}

	/**
	 * Returns the id of the closed session.
	 * @return the session's id
	 */
	public String sessionId() {
		return this.sessionId;
	}

}
