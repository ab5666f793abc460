package dev.sluice.websocket;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * Gives messages to the container. Called for one message at a time; the next call comes
 * when the future of the one before has ended.
 */
@FunctionalInterface
interface FrameSender {

	/**
	 * Starts to send and returns at once; the future ends as the sending does.
	 * @param begun run when the container gets the message, which may be later
	 */
	CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) throws Exception;

}
