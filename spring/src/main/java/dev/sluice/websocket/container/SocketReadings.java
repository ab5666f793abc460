package dev.sluice.websocket.container;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/** Factory of what stops and resumes the reading of a session. */
public final class SocketReadings {

	private SocketReadings() {
	}

	/** Returns what controls the session's socket, or {@code null} if nothing can. */
	public static @Nullable SocketReading of(WebSocketSession session) {
		return (Tomcat.PRESENT && session instanceof NativeWebSocketSession container)
				? TomcatReading.of(container.getNativeSession()) : null;
	}

	/** Whether {@link TomcatReading} can be loaded. */
	private static final class Tomcat {

		private static final boolean PRESENT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
				SocketReadings.class.getClassLoader());

		private Tomcat() {
		}

	}

}
