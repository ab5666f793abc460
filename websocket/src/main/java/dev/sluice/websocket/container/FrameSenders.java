package dev.sluice.websocket.container;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;
import org.springframework.web.socket.sockjs.transport.session.AbstractHttpSockJsSession;

/** Factory of senders, which pass messages to the container of a session. */
public final class FrameSenders {

	private FrameSenders() {
	}

	/**
	 * Returns the sender of a session.
	 * @param workers wait if the container cannot send otherwise
	 * @param sendTimeLimit the maximum time for the container to send a message
	 * @param onFailure called for each message that could not be sent
	 * @param channel the channel for control frames, or {@code null} if unsupported
	 */
	public static FrameSender of(WebSocketSession session, Executor workers, Duration sendTimeLimit,
			Consumer<Throwable> onFailure, @Nullable ControlChannel channel) {
		if (session instanceof StandardWebSocketSession standard) {
			FrameSender container = new AsyncFrameSender(standard, workers, sendTimeLimit, onFailure);
			return (channel != null) ? channel.sender(standard, container, onFailure) : container;
		}
		FrameSender jetty = JettySessions.sender(session, onFailure);
		if (jetty != null) {
			return jetty;
		}
		return (session instanceof AbstractHttpSockJsSession http) ? new HttpSockJsFrameSender(http, workers)
				: new BlockingFrameSender(session, workers, sendTimeLimit);
	}

}
