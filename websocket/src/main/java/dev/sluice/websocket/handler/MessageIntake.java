package dev.sluice.websocket.handler;

import dev.sluice.websocket.inbound.WaitingMessage;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/** Intake of the messages of a handler's clients. */
@FunctionalInterface
public interface MessageIntake {

	/**
	 * Receives a message, with its cost and its level; called on the container's thread,
	 * in the order of the messages.
	 * @return the message, or {@code null} if no handling is required
	 */
	@Nullable WaitingMessage receive(OrderedWebSocketSession session, WebSocketMessage<?> message);

	/** Returns whether the handler connects managed sessions itself. */
	default boolean managesSessions() {
		return false;
	}

	/**
	 * Returns whether a connection may turn out to replace another one, and takes the
	 * place of a session only once the handler has decided.
	 */
	default boolean isUndecided() {
		return false;
	}

}
