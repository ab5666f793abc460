package dev.sluice.websocket;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a message is not sent because its session is closed, or is being closed, or
 * when its outcome is unknown because its connection has ended.
 *
 * @since 0.1.0
 */
public class SessionClosedException extends IOException {

	private static final long serialVersionUID = 1L;

	private final String sessionId;

	private final boolean undecided;

	/**
	 * Creates the exception.
	 * @param sessionId the id of the session
	 */
	public SessionClosedException(String sessionId) {
		super("Session '" + sessionId + "' is closed");
		this.sessionId = sessionId;
		this.undecided = false;
	}

	/**
	 * Creates the exception for a session that ended abnormally.
	 * @param sessionId the id of the session
	 * @param reason why the session was closed
	 */
	public SessionClosedException(String sessionId, Throwable reason) {
		super("Session '" + sessionId + "' was closed", reason);
		this.sessionId = sessionId;
		this.undecided = false;
	}

	private SessionClosedException(String sessionId, String message, @Nullable Throwable reason) {
		super(message, reason);
		this.sessionId = sessionId;
		this.undecided = true;
	}

	/**
	 * Creates the exception for a message that the client may have received, or may still
	 * receive.
	 * @param sessionId the id of the session
	 * @param reason why the outcome is unknown, or {@code null}
	 * @return the exception, which is {@linkplain #isUndecided() undecided}
	 */
	public static SessionClosedException undecided(String sessionId, @Nullable Throwable reason) {
		return new SessionClosedException(sessionId,
				"Session '" + sessionId + "' was closed; the client may have received the message", reason);
	}

	/**
	 * Returns whether the client may have received the message, or may still receive it.
	 * @return {@code false} if the message certainly was not sent
	 */
	public boolean isUndecided() {
		return this.undecided;
	}

	/**
	 * Returns the id of the closed session.
	 * @return the session's id
	 */
	public String sessionId() {
		return this.sessionId;
	}

}
