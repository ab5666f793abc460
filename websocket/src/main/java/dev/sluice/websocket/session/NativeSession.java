package dev.sluice.websocket.session;

import dev.sluice.websocket.container.EndedSession;
import jakarta.websocket.Session;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;

/**
 * The container's own session, and the data that handlers may read once it has ended; for
 * them it has not ended until its messages are handled.
 */
final class NativeSession {

	/*
	 * "ended" is written once, before the container's session ends. Each call reads it
	 * once. Attacked by NativeSessionsTests.
	 */

	private static final Log logger = LogFactory.getLog(NativeSession.class);

	private final WebSocketSession session;

	/** The kept data of the container's session, once it has ended. */
	private volatile @Nullable Session ended;

	NativeSession(WebSocketSession session) {
		this.session = session;
	}

	/** Returns the session. */
	Object get() {
		Session ended = this.ended;
		if (ended != null) {
			return ended;
		}
		return (this.session instanceof NativeWebSocketSession container) ? container.getNativeSession() : this.session;
	}

	/** Returns the session if it is of a type. */
	@SuppressWarnings("unchecked")
	<T> @Nullable T get(@Nullable Class<T> requiredType) {
		Session ended = this.ended;
		if (ended != null && (requiredType == null || requiredType.isInstance(ended))) {
			return (T) ended;
		}
		return (this.session instanceof NativeWebSocketSession container) ? container.getNativeSession(requiredType)
				: null;
	}

	/** Keeps the data of the session, which is about to end. */
	void keep() {
		Session ending = (this.session instanceof NativeWebSocketSession container)
				? container.getNativeSession(Session.class) : null;
		if (ending == null) {
			return;
		}
		try {
			Session ended = EndedSession.of(ending);
			this.ended = ended;
			if (this.session instanceof StandardWebSocketSession standard) {
				standard.initializeNativeSession(ended);
			}
		}
		catch (IllegalStateException ex) {
			logger.debug("Nothing can be kept of " + this.session.getId(), ex);
		}
	}

}
