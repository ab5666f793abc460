package dev.sluice.websocket;

import java.lang.reflect.Method;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/**
 * Takes the permits that annotations on the methods of a {@link WebSocketHandler} ask
 * for: of {@code handleMessage} or, where that is not limited, of the method that is for
 * the message's kind.
 */
final class HandlerGate {

	private final ThrottleGate gate;

	private final WebSocketHandler handler;

	private final @Nullable Method text;

	private final @Nullable Method binary;

	private final @Nullable Method pong;

	HandlerGate(ThrottleGate gate, WebSocketHandler handler) {
		this.gate = gate;
		this.handler = handler;
		this.text = guarded("handleTextMessage", TextMessage.class);
		this.binary = guarded("handleBinaryMessage", BinaryMessage.class);
		this.pong = guarded("handlePongMessage", PongMessage.class);
	}

	/**
	 * Takes the permits for one message; never waits.
	 * @return the permits, or {@code null} if the message is not limited
	 * @throws dev.sluice.throttle.ThrottledException if a limit rejects it
	 */
	@Nullable Permit enter(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		Method method = (message instanceof TextMessage) ? this.text
				: (message instanceof BinaryMessage) ? this.binary : this.pong;
		if (method == null) {
			return null;
		}
		return this.gate.enter(method, this.handler, new Object[] { session, message },
				session.expressionVariables(session));
	}

	private @Nullable Method guarded(String name, Class<?> messageType) {
		Method every = guardedOrNull("handleMessage", WebSocketMessage.class);
		return (every != null) ? every : guardedOrNull(name, messageType);
	}

	private @Nullable Method guardedOrNull(String name, Class<?> messageType) {
		Class<?> type = AopUtils.getTargetClass(this.handler);
		Method method = ReflectionUtils.findMethod(type, name, WebSocketSession.class, messageType);
		return (method != null && this.gate.guards(method, type)) ? method : null;
	}

}
