package dev.sluice.websocket.outbound;

/** Strategy of {@code WebSocketSession.sendMessage} for a full send buffer. */
public enum FullBuffer {

	/** Waits for room on the calling thread. */
	WAIT,

	/**
	 * Queues the message all the same, up to the bound of all sessions, as long as the
	 * client takes something.
	 */
	EXCEED

}
