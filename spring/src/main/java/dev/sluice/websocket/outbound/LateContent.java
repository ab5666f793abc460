package dev.sluice.websocket.outbound;

import dev.sluice.websocket.SessionClosedException;

import org.springframework.web.socket.WebSocketMessage;

/** Content of a message, which is made when the message's turn has come. */
@FunctionalInterface
public interface LateContent {

	/**
	 * Returns the content to send to the client.
	 * @throws SessionClosedException if the connection is to get nothing more
	 */
	WebSocketMessage<?> get() throws SessionClosedException;

}
