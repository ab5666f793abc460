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
	 * The message that has waited longest is dropped, until there is room: of those that
	 * were posted; of those that were sent as urgent only for another such. Without one
	 * to drop, the new message is. Parts of a fragmented message stay. The futures of
	 * dropped messages fail with {@link dev.sluice.execution.TaskDroppedException}.
	 */
	DROP_OLDEST

}
