package dev.sluice.websocket;

/**
 * Action to take when the limits of a message reject it.
 *
 * @since 0.1.0
 */
public enum OnThrottled {

	/**
	 * The client receives a frame with the limit and the time after which to retry, in
	 * the order of the messages, and the connection stays open. With a sub-protocol, no
	 * frame is sent, because the sub-protocol does not define it.
	 */
	FRAME,

	/** The session is closed with 1013. */
	CLOSE,

	/** The message is dropped. */
	NONE

}
