package dev.sluice.websocket;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/**
 * Sends with the session's own method, on a worker that waits until the message is out.
 */
final class BlockingFrameSender implements FrameSender {

	private final WebSocketSession session;

	private final Executor workers;

	BlockingFrameSender(WebSocketSession session, Executor workers) {
		this.session = session;
		this.workers = workers;
	}

	@Override
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) {
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		this.workers.execute(() -> {
			begun.run();
			try {
				this.session.sendMessage(message);
				sent.complete(null);
			}
			catch (Throwable ex) {
				sent.completeExceptionally(ex);
			}
		});
		return sent;
	}

}
