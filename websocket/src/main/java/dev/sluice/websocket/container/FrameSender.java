package dev.sluice.websocket.container;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * Sender that passes messages to the container. Called for one message at a time; the
 * next call comes when the future of the one before has ended.
 */
@FunctionalInterface
public interface FrameSender {

	/**
	 * Starts to send and returns immediately; the future ends with the sending.
	 * @param begun run when the container receives the message, which may be later
	 */
	CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) throws Exception;

	/**
	 * Called before a request of the client is served that may fetch messages, if
	 * messages require a request; called on the thread that serves it.
	 */
	default void requestComes() {
	}

	/** Called when such a request has been served, or waits for messages. */
	default void requestCame() {
	}

	/**
	 * Sends no more.
	 * @param patience the maximum time until the client can receive the close
	 * @return ends, never with a failure, when the container may close
	 */
	default CompletableFuture<@Nullable Void> beforeClose(Duration patience) {
		return CompletableFuture.completedFuture(null);
	}

}
