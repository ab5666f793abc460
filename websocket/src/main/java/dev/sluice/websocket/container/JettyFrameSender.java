package dev.sluice.websocket.container;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/** Sender that uses Jetty's own session, for which no thread waits. */
final class JettyFrameSender implements FrameSender {

	private final Session session;

	private final Consumer<Throwable> onFailure;

	/**
	 * Creates the sender.
	 * @param onFailure called for each message that the container failed to send: the
	 * state of the connection is unknown from then on
	 */
	JettyFrameSender(Session session, Consumer<Throwable> onFailure) {
		this.session = session;
		this.onFailure = onFailure;
	}

	@Override
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) {
		begun.run();
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		start(message, Callback.from(() -> sent.complete(null), (failure) -> {
			this.onFailure.accept(failure);
			sent.completeExceptionally(failure);
		}));
		return sent;
	}

	private void start(WebSocketMessage<?> message, Callback callback) {
		if (message instanceof PingMessage ping) {
			this.session.sendPing(ping.getPayload().duplicate(), callback);
		}
		else if (message instanceof PongMessage pong) {
			this.session.sendPong(pong.getPayload().duplicate(), callback);
		}
		else if (message instanceof TextMessage text) {
			this.session.sendPartialText(text.getPayload(), text.isLast(), callback);
		}
		else if (message instanceof BinaryMessage binary) {
			this.session.sendPartialBinary(binary.getPayload().duplicate(), binary.isLast(), callback);
		}
		else {
			throw new IllegalArgumentException("Unknown type of message: " + message);
		}
	}

}
