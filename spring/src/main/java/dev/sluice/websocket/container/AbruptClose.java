package dev.sluice.websocket.container;

import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import org.apache.tomcat.websocket.WsSession;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/**
 * Ends of connections without waiting for the client to agree, where the container can:
 * the status is put on the wire if that is possible at once, and the socket is closed.
 */
public final class AbruptClose {

	private static final boolean TOMCAT = ClassUtils.isPresent("org.apache.tomcat.websocket.WsSession",
			AbruptClose.class.getClassLoader());

	private AbruptClose() {
	}

	public static boolean isPossible(WebSocketSession session) {
		return TOMCAT && session instanceof NativeWebSocketSession container && Tomcat.has(container.getNativeSession())
				|| JettySessions.has(session);
	}

	/** Returns whether the container can. */
	public static boolean close(WebSocketSession session, CloseStatus status) {
		return TOMCAT && session instanceof NativeWebSocketSession container
				&& Tomcat.close(container.getNativeSession(), status) || JettySessions.abort(session, status);
	}

	/** Loaded only where Tomcat is. */
	private static final class Tomcat {

		static boolean has(Object session) {
			return session instanceof WsSession;
		}

		public static boolean close(Object session, CloseStatus status) {
			if (!(session instanceof WsSession tomcat)) {
				return false;
			}
			CloseReason reason = new CloseReason(CloseCodes.getCloseCode(status.getCode()), status.getReason());
			tomcat.doClose(reason, reason, true);
			return true;
		}

	}

}
