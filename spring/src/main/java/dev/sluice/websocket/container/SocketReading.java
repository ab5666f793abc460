package dev.sluice.websocket.container;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/** Stops and resumes the reading of a session's socket, where the container can. */
public interface SocketReading {

	/** Called on the thread that delivers a message; no further message is delivered. */
	void suspend();

	/** Called by any thread, only after {@link #suspend()}. */
	void resume();

	/**
	 * Asks a gate before each frame, if the container can.
	 * @return whether it can, and resumes exactly where it was suspended
	 */
	default boolean connect(FrameGate gate) {
		return false;
	}

	/** Returns what controls the session's socket, or {@code null} if nothing can. */
	static @Nullable SocketReading of(WebSocketSession session) {
		return (Tomcat.PRESENT && session instanceof NativeWebSocketSession container)
				? TomcatReading.of(container.getNativeSession()) : null;
	}

	/** Whether {@link TomcatReading} can be loaded. */
	final class Tomcat {

		private static final boolean PRESENT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
				SocketReading.class.getClassLoader());

		private Tomcat() {
		}

	}

}
