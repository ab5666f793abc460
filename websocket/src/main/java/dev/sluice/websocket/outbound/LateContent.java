package dev.sluice.websocket.outbound;

import dev.sluice.websocket.SessionClosedException;

import org.springframework.web.socket.WebSocketMessage;

/** Content of a message, which is created when the message's turn has come. */
@FunctionalInterface
public interface LateContent {

	/**
	 * Returns the content to send to the client.
	 * @throws SessionClosedException if the connection accepts no more messages
	 */
	WebSocketMessage<?> get() throws SessionClosedException;

}
