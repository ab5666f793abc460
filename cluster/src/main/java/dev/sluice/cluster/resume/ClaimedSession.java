package dev.sluice.cluster.resume;

/**
 * A session that was claimed.
 *
 * @param session the session
 * @param token its next token
 * @param unanswered whether the node that had the session did not answer, so that the
 * session's connection there may still have its place
 * @param content the content of the record as claimed
 */
public record ClaimedSession(ResumableSession session, String token, boolean unanswered, String content) {

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
