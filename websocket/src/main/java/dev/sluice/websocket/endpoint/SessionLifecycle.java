package dev.sluice.websocket.endpoint;

import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketMessage;

/** Begin and end of the sessions of one endpoint. */
public interface SessionLifecycle {

	/**
	 * Opens the session of a new connection. Called in the session's turn.
	 * @throws Exception if the session cannot open, which closes the connection
	 */
	void open(OrderedWebSocketSession session) throws Exception;

	/**
	 * Ends the session of a connection that has ended. Called last in the session's turn.
	 * @throws Exception if a method of the application fails
	 */
	void close(OrderedWebSocketSession session, CloseStatus status) throws Exception;

	/**
	 * Returns whether the first message of a connection determines its session, so that a
	 * connection counts as a session only from then on.
	 */
	default boolean isUndecided() {
		return false;
	}

	/**
	 * Returns whether a message is a frame of the lifecycle's own protocol, and not for a
	 * method of the application. Called on the container's thread for each message except
	 * pongs.
	 */
	default boolean isProtocol(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		return false;
	}

	/**
	 * Handles a frame of the protocol.
	 * @param text the frame
	 * @return completes when the next message may be read, or {@code null} for
	 * immediately
	 */
	default @Nullable CompletableFuture<?> take(OrderedWebSocketSession session, String text) {
		return null;
	}

}
