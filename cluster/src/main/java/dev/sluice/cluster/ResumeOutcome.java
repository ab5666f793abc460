package dev.sluice.cluster;

/**
 * Outcome of an attempt to resume a session.
 *
 * @since 0.1.0
 */
public enum ResumeOutcome {

	/** The session was resumed, and no message sent to it is missing. */
	RECOVERED,

	/** The session was resumed, and messages may be missing; its client was notified. */
	INCOMPLETE,

	/**
	 * The session does not exist, has expired, or belongs to another client; the client
	 * got a new session.
	 */
	EXPIRED,

	/** The client sent an invalid token; it got a new session. */
	INVALID,

	/** The session was claimed again, on any node, before it was resumed here. */
	SUPERSEDED,

	/** The bus was unavailable; the client may retry. */
	UNAVAILABLE

}
