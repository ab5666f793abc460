package dev.sluice.websocket.container;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.sluice.internal.FatalErrors;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/**
 * Sender that uses the session's own method, on a worker that waits until the message is
 * written.
 */
public record BlockingFrameSender(WebSocketSession session, Executor workers,
		Duration sendTimeLimit) implements FrameSender {

	@Override
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) {
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		this.workers.execute(() -> {
			begun.run();
			try {
				TomcatSessions.limitBlockingSends(this.session, this.sendTimeLimit);
				this.session.sendMessage(message);
				sent.complete(null);
			}
			catch (Throwable ex) {
				sent.completeExceptionally(ex);
				FatalErrors.passOn(ex);
			}
		});
		return sent;
	}

}
