package dev.sluice.websocket.message;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * A message as it goes over the wire.
 *
 * @param message the message
 * @param type its type, which texts and bytes have not
 * @param direct whether it is for its session alone, and numbered where the session may
 * be resumed; otherwise it is of a topic, or of the protocol itself
 */
public record WrittenMessage(WebSocketMessage<?> message, @Nullable String type, boolean direct) {

	/** Creates a direct message. */
	public WrittenMessage(WebSocketMessage<?> message, @Nullable String type) {
		this(message, type, true);
	}

}
