package dev.sluice.websocket.container;

import org.apache.tomcat.websocket.WsSession;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * Knowledge of whether a container delivers a message that is larger than its buffer in
 * parts, as Tomcat does, whose buffers last as long as their connections and should be
 * small. Others reject what is larger than the limit of the session.
 */
public final class MessageParts {

	private static final boolean TOMCAT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
			MessageParts.class.getClassLoader());

	private MessageParts() {
	}

	public static boolean areDelivered(WebSocketSession session) {
		return TOMCAT && session instanceof NativeWebSocketSession container
				&& Tomcat.has(container.getNativeSession());
	}

	/** Loaded only where Tomcat is. */
	private static final class Tomcat {

		static boolean has(Object session) {
			return session instanceof WsSession;
		}

	}

}
