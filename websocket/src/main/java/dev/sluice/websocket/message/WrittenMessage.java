package dev.sluice.websocket.message;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * A message in its encoded form.
 *
 * @param message the message
 * @param type its type; {@code null} for texts and bytes
 * @param direct whether it is for its session alone, and numbered if the session may be
 * resumed; otherwise it belongs to a topic, or to the protocol itself
 */
public record WrittenMessage(WebSocketMessage<?> message, @Nullable String type, boolean direct) {

	/** Creates a direct message. */
	public WrittenMessage(WebSocketMessage<?> message, @Nullable String type) {
		this(message, type, true);
	}

}
