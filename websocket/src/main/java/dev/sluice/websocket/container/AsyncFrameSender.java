package dev.sluice.websocket.container;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendResult;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;

/**
 * Sender that uses the asynchronous remote of a standard session: no thread waits for a
 * slow client. Messages that the remote cannot send without waiting (the parts of a
 * fragmented message, and pings and pongs without a {@link ControlChannel}) are sent by a
 * blocking call.
 */
public final class AsyncFrameSender implements FrameSender {

	/*
	 * Tomcat's own limit of an asynchronous send costs two changes of a sorted set that
	 * all sessions share for each message, and ends no session that LivenessMonitor would
	 * not end. Tomcat therefore does not receive the limit, except for messages that a
	 * thread waits for.
	 */

	/** Sends messages that the asynchronous remote cannot send. */
	private final FrameSender blocking;

	private final RemoteEndpoint.Async remote;

	private final Consumer<Throwable> onFailure;

	/** Whether a fragmented message has begun; passed from one call to the next. */
	private boolean fragmented;

	/**
	 * Creates the sender.
	 * @param session the session, which is open
	 * @param workers wait for messages that the asynchronous remote cannot send
	 * @param sendTimeLimit the maximum time for the container to send a message; with
	 * Tomcat, the liveness monitor enforces it
	 * @param onFailure called for each message that the container failed to send: the
	 * state of the connection is unknown from then on
	 */
	public AsyncFrameSender(StandardWebSocketSession session, Executor workers, Duration sendTimeLimit,
			Consumer<Throwable> onFailure) {
		this.blocking = new BlockingFrameSender(session, workers, sendTimeLimit);
		this.remote = session.getNativeSession().getAsyncRemote();
		this.onFailure = onFailure;
		if (!TomcatSessions.has(session)) {
			this.remote.setSendTimeout(sendTimeLimit.toMillis());
		}
	}

	@Override
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) throws Exception {
		if (message instanceof PingMessage || message instanceof PongMessage) {
			return this.blocking.send(message, begun);
		}
		boolean part = this.fragmented || !message.isLast();
		this.fragmented = !message.isLast();
		if (part) {
			return this.blocking.send(message, begun);
		}
		begun.run();
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		if (message instanceof TextMessage text) {
			this.remote.sendText(text.getPayload(), (result) -> end(sent, result));
		}
		else {
			this.remote.sendBinary(((BinaryMessage) message).getPayload().duplicate(), (result) -> end(sent, result));
		}
		return sent;
	}

	private void end(CompletableFuture<@Nullable Void> sent, SendResult result) {
		if (result.isOK()) {
			sent.complete(null);
		}
		else {
			this.onFailure.accept(result.getException());
			sent.completeExceptionally(result.getException());
		}
	}

}
