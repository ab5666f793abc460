package dev.sluice.websocket;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Sends with the asynchronous remote of a standard session: no thread waits for a slow
 * client. What that remote cannot send without waiting (the parts of a fragmented
 * message, pings and pongs) goes the blocking way.
 */
final class AsyncFrameSender implements FrameSender {

	private static final String TOMCAT_BLOCKING_SEND_TIMEOUT = "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

	private final RemoteEndpoint.Async remote;

	private final FrameSender blocking;

	private final Consumer<Throwable> onFailure;

	/** Whether a fragmented message has begun; handed from one call to the next. */
	private boolean fragmented;

	/**
	 * Creates the sender.
	 * @param session the container's session
	 * @param sendTimeLimit the time in which the container must have sent a message
	 * @param blocking sends what the asynchronous remote cannot
	 * @param onFailure told of each message that the container failed to send: the
	 * connection's state is unknown from then on
	 */
	AsyncFrameSender(Session session, Duration sendTimeLimit, FrameSender blocking, Consumer<Throwable> onFailure) {
		this.remote = session.getAsyncRemote();
		this.remote.setSendTimeout(sendTimeLimit.toMillis());
		session.getUserProperties().put(TOMCAT_BLOCKING_SEND_TIMEOUT, sendTimeLimit.toMillis());
		this.blocking = blocking;
		this.onFailure = onFailure;
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
