package dev.sluice.websocket.container;

import java.time.Duration;
import java.util.function.Consumer;

import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.adapter.jetty.JettyWebSocketSession;

/**
 * Non-blocking operations of Jetty's own sessions. Spring's operations wait until a
 * message or a close frame is written.
 */
public final class JettySessions {

	private static final boolean PRESENT = ClassUtils.isPresent("org.eclipse.jetty.websocket.api.Session",
			JettySessions.class.getClassLoader());

	private JettySessions() {
	}

	/**
	 * Returns whether a session, including a SockJS session, is carried by a session of
	 * Jetty.
	 */
	public static boolean has(WebSocketSession session) {
		return PRESENT && session instanceof NativeWebSocketSession container
				&& Jetty.of(container.getNativeSession()) != null;
	}

	/**
	 * Returns the time without a message after which a session is idle, or {@code null}
	 * if it is not a session of Jetty or has Jetty's default.
	 */
	public static @Nullable Duration idleTimeout(WebSocketSession session) {
		return (PRESENT && session instanceof NativeWebSocketSession container)
				? Jetty.idleTimeout(container.getNativeSession()) : null;
	}

	/** Returns the sender of a session, or {@code null} if it is not of Jetty. */
	public static @Nullable FrameSender sender(WebSocketSession session, Consumer<Throwable> onFailure) {
		return (PRESENT && session instanceof JettyWebSocketSession jetty)
				? new JettyFrameSender(jetty.getNativeSession(), onFailure) : null;
	}

	/** Begins to close a session; returns whether it is a session of Jetty. */
	public static boolean close(WebSocketSession session, CloseStatus status) {
		return PRESENT && session instanceof JettyWebSocketSession jetty
				&& Jetty.close(jetty.getNativeSession(), status);
	}

	/**
	 * Ends a session's connection immediately; returns whether it is a session of Jetty.
	 */
	public static boolean abort(WebSocketSession session, CloseStatus status) {
		return PRESENT && session instanceof NativeWebSocketSession container
				&& Jetty.abort(container.getNativeSession(), status);
	}

	/** Loaded only where Jetty is. */
	private static final class Jetty {

		private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(30);

		static @Nullable Session of(Object session) {
			return (session instanceof Session jetty) ? jetty : null;
		}

		public static @Nullable Duration idleTimeout(Object session) {
			Session jetty = of(session);
			Duration timeout = (jetty != null) ? jetty.getIdleTimeout() : Duration.ZERO;
			return (timeout.compareTo(Duration.ZERO) > 0 && !timeout.equals(DEFAULT_IDLE_TIMEOUT)) ? timeout : null;
		}

		public static boolean close(Session session, CloseStatus status) {
			session.close(status.getCode(), status.getReason(), Callback.NOOP);
			return true;
		}

		/** The close frame is sent if nothing else is being written. */
		static boolean abort(Object session, CloseStatus status) {
			Session jetty = of(session);
			if (jetty == null) {
				return false;
			}
			close(jetty, status);
			jetty.disconnect();
			return true;
		}

	}

}
