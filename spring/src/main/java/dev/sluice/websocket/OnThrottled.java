package dev.sluice.websocket;

/**
 * Action to take when the limits of a message reject it.
 *
 * @since 0.1.0
 */
public enum OnThrottled {

	/**
	 * The client gets a frame that tells the limit and when to come again, in the order
	 * of the messages, and the connection lives on. Nothing is sent where a sub-protocol
	 * was agreed on, since the frame is none of its messages.
	 */
	FRAME,

	/** The session is closed with 1013. */
	CLOSE,

	/** The message is dropped. */
	NONE

}
