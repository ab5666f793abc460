package dev.sluice.websocket.container;

import java.time.Duration;

import org.apache.tomcat.websocket.WsSession;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * Limit of how long a thread waits in Tomcat for a message to be sent. Without it, a
 * thread waits for 20 seconds, even if the connection is cut off meanwhile.
 */
public final class BlockingSendTimeout {

	private static final String PROPERTY = "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

	private static final boolean TOMCAT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
			BlockingSendTimeout.class.getClassLoader());

	private BlockingSendTimeout() {
	}

	/** Sets the limit, which is an entry of a map of the session's own. */
	public static void set(WebSocketSession session, Duration limit) {
		if (TOMCAT && session instanceof NativeWebSocketSession container) {
			Tomcat.set(container.getNativeSession(), limit);
		}
	}

	/** Loaded only where Tomcat is. */
	private static final class Tomcat {

		public static void set(Object session, Duration limit) {
			if (session instanceof WsSession tomcat) {
				tomcat.getUserProperties().put(PROPERTY, limit.toMillis());
			}
		}

	}

}
