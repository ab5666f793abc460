package dev.sluice.websocket.outbound;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.sluice.websocket.container.ClientReading;
import dev.sluice.websocket.container.ControlChannel;
import dev.sluice.websocket.container.FrameSender;
import dev.sluice.websocket.container.JettySessions;
import dev.sluice.websocket.container.TomcatSessions;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;
import org.springframework.web.socket.sockjs.transport.SockJsSession;

/**
 * Connection to one client, in its container.
 *
 * @param session the container's session
 * @param frames sends its messages
 * @param channel sends its control frames, or {@code null} if {@code frames} does
 * @param reading whether the client is read
 */
record ClientConnection(WebSocketSession session, FrameSender frames, @Nullable ControlChannel channel,
		ClientReading reading) {

	/** Passes a message to the container. */
	CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) throws Exception {
		if (this.channel != null && message instanceof PingMessage ping) {
			begun.run();
			return this.channel.ping(ping.getPayload());
		}
		if (this.channel != null && message instanceof PongMessage reply) {
			begun.run();
			return this.channel.pong(reply.getPayload());
		}
		return this.frames.send(message, begun);
	}

	/**
	 * Runs a task once the container has had a thread to process the data received
	 * before.
	 */
	void afterReading(Runnable task) {
		if (this.channel != null) {
			this.channel.afterReading(task);
		}
		else {
			task.run();
		}
	}

	/**
	 * Sends the close frame.
	 * @param idle ends when nothing else is being sent
	 * @param patience maximum time for the frame; zero not to wait for it
	 */
	CompletableFuture<@Nullable Void> sendCloseFrame(CloseStatus status, Supplier<CompletableFuture<?>> idle,
			Duration patience) {
		if (this.channel == null || !(this.session instanceof StandardWebSocketSession)) {
			return this.frames.beforeClose(patience);
		}
		CompletableFuture<@Nullable Void> frame = this.channel.close(status, idle.get()).copy();
		return patience.isZero() ? CompletableFuture.completedFuture(null)
				: frame.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Returns whether the closing thread may wait for the client. */
	boolean waitsToClose(boolean abruptly) {
		boolean ends = abruptly && (TomcatSessions.has(this.session) || JettySessions.has(this.session));
		return this.session instanceof SockJsSession && !ends;
	}

	/**
	 * Makes the container close the connection.
	 * @param abruptly whether to end the connection immediately, if the container
	 * supports it
	 * @return whether the connection has been ended immediately
	 */
	boolean close(CloseStatus status, boolean abruptly, Duration sendTimeLimit) throws IOException {
		this.reading.release();
		TomcatSessions.limitBlockingSends(this.session, sendTimeLimit);
		if (abruptly && (TomcatSessions.abort(this.session, status) || JettySessions.abort(this.session, status))) {
			return true;
		}
		if (!JettySessions.close(this.session, status)) {
			this.session.close(status);
		}
		return false;
	}

}
