package dev.sluice.websocket.message;

import org.springframework.web.socket.WebSocketMessage;

/**
 * Cost of a message while it waits: the bytes of its payload, and a constant for the
 * objects around them. Without the constant, messages of one byte, or of none, would not
 * be bounded. Measured by MessageCostTests.
 */
public final class MessageCost {

	/** Bytes of the objects of a client's message. */
	public static final int RECEIVED = 384;

	/** Bytes of the objects of a message to a client. */
	public static final int SENT = 320;

	/** Bytes of the objects of a message to a client that a journal records. */
	public static final int JOURNALLED = 576;

	/** Bytes of the objects of one header of a frame. */
	public static final int HEADER = 256;

	private MessageCost() {
	}

	/** Returns the cost of a client's message until it is handled. */
	public static int of(WebSocketMessage<?> message) {
		return RECEIVED + EncodedSize.of(message);
	}

}
