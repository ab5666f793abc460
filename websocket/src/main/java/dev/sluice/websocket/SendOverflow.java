package dev.sluice.websocket;

/**
 * Strategy for outbound messages that exceed the send buffer.
 *
 * @since 0.1.0
 */
public enum SendOverflow {

	/** The session is closed with 4500 (session not reliable). */
	TERMINATE,

	/**
	 * The message that has waited longest is dropped, until there is room. Posted
	 * messages are dropped; a message that is sent may also replace other messages that
	 * were sent. If no message can be dropped, the new message is dropped. Parts of a
	 * fragmented message are never dropped. The futures of dropped messages fail with
	 * {@link dev.sluice.execution.TaskDroppedException}. If messages of a topic are
	 * dropped, the client receives a gap in their place.
	 */
	DROP_OLDEST,

	/**
	 * Waiting messages of topics are dropped, and read from the history of the topic when
	 * the client has received the messages sent before. If the history no longer contains
	 * them, the client is notified of a gap. The session is closed as with
	 * {@link #TERMINATE} if other messages alone exceed the buffer.
	 */
	CATCH_UP

}
