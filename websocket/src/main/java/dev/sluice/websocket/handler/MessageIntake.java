package dev.sluice.websocket.handler;

import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/** Intake that turns a client's messages into tasks of its session. */
@FunctionalInterface
public interface MessageIntake {

	/**
	 * Submits the handling of a message; called on the container's thread, in the order
	 * of the messages.
	 * @return ends when the message has been handled, and fails only if it is never
	 * handled; {@code null} if no handling is required
	 */
	@Nullable CompletableFuture<?> offer(OrderedWebSocketSession session, WebSocketMessage<?> message);

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

	/** Returns the cost of a message in bytes while it waits. */
	default int cost(WebSocketMessage<?> message) {
		return MessageCost.of(message);
	}

}
