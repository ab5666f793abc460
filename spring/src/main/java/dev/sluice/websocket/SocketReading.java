package dev.sluice.websocket;

import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/** Stops and resumes the reading of a session's socket, where the container can. */
interface SocketReading {

	/** Called on the thread that delivers a message; no further message is delivered. */
	void suspend();

	/** Called by any thread, only after {@link #suspend()}. */
	void resume();

	/** Returns what controls the session's socket, or {@code null} if nothing can. */
	static @Nullable SocketReading of(WebSocketSession session) {
		return (TomcatSocketReading.PRESENT && session instanceof NativeWebSocketSession container)
				? TomcatSocketReading.of(container.getNativeSession()) : null;
	}

	/** Reading as Tomcat controls it. */
	final class TomcatSocketReading implements SocketReading {

		private static final boolean PRESENT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
				SocketReading.class.getClassLoader());

		private final WsSession session;

		private TomcatSocketReading(WsSession session) {
			this.session = session;
		}

		private static @Nullable SocketReading of(Object session) {
			return (session instanceof WsSession tomcat) ? new TomcatSocketReading(tomcat) : null;
		}

		@Override
		public void suspend() {
			this.session.suspend();
		}

		@Override
		public void resume() {
			this.session.resume();
		}

	}

}
