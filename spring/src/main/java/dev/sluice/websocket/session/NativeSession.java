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
 * The container's own session, and what handlers may read of it once it has ended, but
 * for them has not until its messages are handled.
 */
final class NativeSession {

	private static final Log logger = LogFactory.getLog(NativeSession.class);

	private final WebSocketSession session;

	/** What is left of the container's session, once that has ended. */
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

	/** Keeps what can be kept of the session, which is about to end. */
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
