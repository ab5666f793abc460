package dev.sluice.websocket.container;

import java.time.Duration;

import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * Operations of Tomcat's own sessions, including sessions that carry a SockJS session.
 * With other containers they do nothing.
 */
public final class TomcatSessions {

	private static final boolean PRESENT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
			TomcatSessions.class.getClassLoader());

	private TomcatSessions() {
	}

	/**
	 * Returns whether a session is carried by a session of Tomcat. Tomcat delivers a
	 * message that is larger than its buffer in parts, and as its buffers last as long as
	 * their connections, they should be small. Other containers reject messages larger
	 * than the limit of the session.
	 */
	public static boolean has(WebSocketSession session) {
		return PRESENT && Tomcat.of(session) != null;
	}

	/** Returns the control of the session's socket, or {@code null} if unsupported. */
	public static @Nullable SocketReading reading(WebSocketSession session) {
		return PRESENT ? Tomcat.reading(session) : null;
	}

	/**
	 * Limits how long a thread waits for a message to be sent. Without a limit, a thread
	 * waits for 20 seconds, even if the connection is cut off before.
	 */
	public static void limitBlockingSends(WebSocketSession session, Duration limit) {
		if (PRESENT) {
			Tomcat.limitBlockingSends(session, limit);
		}
	}

	/**
	 * Ends a session's connection immediately; returns whether it is a session of Tomcat.
	 */
	public static boolean abort(WebSocketSession session, CloseStatus status) {
		return PRESENT && Tomcat.abort(session, status);
	}

	/** Loaded only where Tomcat is. */
	private static final class Tomcat {

		private static final String SEND_TIMEOUT = "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

		static @Nullable WsSession of(WebSocketSession session) {
			return (session instanceof NativeWebSocketSession container
					&& container.getNativeSession() instanceof WsSession tomcat) ? tomcat : null;
		}

		static @Nullable SocketReading reading(WebSocketSession session) {
			WsSession tomcat = of(session);
			return (tomcat != null) ? TomcatReading.of(tomcat) : null;
		}

		/** Sets the limit, which is an entry of the session's map. */
		static void limitBlockingSends(WebSocketSession session, Duration limit) {
			WsSession tomcat = of(session);
			if (tomcat != null) {
				tomcat.getUserProperties().put(SEND_TIMEOUT, limit.toMillis());
			}
		}

		static boolean abort(WebSocketSession session, CloseStatus status) {
			WsSession tomcat = of(session);
			if (tomcat == null) {
				return false;
			}
			CloseReason reason = new CloseReason(CloseCodes.getCloseCode(status.getCode()), status.getReason());
			tomcat.doClose(reason, reason, true);
			return true;
		}

	}

}
