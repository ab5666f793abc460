package dev.sluice.websocket.outbound;

/** Strategy of a sender for a full send buffer. */
public enum FullBuffer {

	/** Waits for room on the calling thread. */
	WAIT,

	/**
	 * Queues the message despite the limit, up to the bound of all sessions, as long as
	 * the client keeps receiving.
	 */
	EXCEED,

	/** Rejects the message, which can be sent later, without dropping others. */
	REJECT,

	/** Rejects the message as soon as half of the buffer is used. */
	REJECT_AT_HALF,

	/** Queues the message, which uses no room. */
	IGNORE;

	boolean rejects() {
		return this == REJECT || this == REJECT_AT_HALF;
	}

}
