package dev.sluice.websocket;

/**
 * What a session is to its handler.
 *
 * @param type what it is counted as
 * @param readAhead whether messages are read before those in front of them are handled,
 * since something could pass
 * @param fullBuffer what becomes of messages for which the send buffer has no room
 */
record SessionKind(String type, boolean readAhead, FullBuffer fullBuffer) {

	/** What {@code WebSocketSession.sendMessage} does when the send buffer is full. */
	enum FullBuffer {

		/** Waits for room on the calling thread. */
		WAIT,

		/** Queues the message all the same, up to the bound of all sessions. */
		EXCEED

	}

}
