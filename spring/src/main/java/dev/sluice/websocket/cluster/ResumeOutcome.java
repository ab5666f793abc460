package dev.sluice.websocket.cluster;

/**
 * Outcome of an attempt to resume a session.
 *
 * @since 0.1.0
 */
public enum ResumeOutcome {

	/** The session went on, and nothing that was sent to it is missing. */
	RECOVERED,

	/** The session went on, and something may be missing, as its client was told. */
	INCOMPLETE,

	/** There was no such session, any more or for this client, which got a new one. */
	EXPIRED,

	/** What the client sent was no token; it got a new session. */
	INVALID,

	/** The session was claimed again, on whichever node, before it went on here. */
	SUPERSEDED,

	/** The bus could not be asked, and the client may try again. */
	UNAVAILABLE

}
