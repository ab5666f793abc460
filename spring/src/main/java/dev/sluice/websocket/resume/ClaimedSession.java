package dev.sluice.websocket.resume;

/**
 * A session that was claimed.
 *
 * @param session the session
 * @param token its next token
 * @param unanswered whether the node that had it did not answer, so that the connection
 * which it had there may have its place still
 */
public record ClaimedSession(ResumableSession session, String token, boolean unanswered) {

	/** Outcome of a claim. */
	public enum Outcome {

		/** The session has its connection, or has been claimed again since. */
		RESUMED,

		/** The session does not exist (any longer), or belongs to another client. */
		EXPIRED,

		/** The client has sent an invalid token. */
		INVALID

	}

}
