package dev.sluice.websocket.stomp;

/**
 * Action to take when the limits of a STOMP message reject it.
 *
 * @since 0.1.0
 */
public enum StompThrottled {

	/**
	 * The user receives a message with the limit and the time after which to retry, in
	 * the order of the messages, and the connection stays open.
	 */
	USER_QUEUE,

	/** The client receives an ERROR frame, after which the connection is closed. */
	ERROR_FRAME,

	/** The message is dropped. */
	NONE

}
