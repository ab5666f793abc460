package dev.sluice.websocket.handler;

import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.websocket.session.OrderedWebSocketSession;
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
 * Gate through which a {@link WebSocketHandler} is called, behind the limits of the
 * annotations on its methods: first the limits of {@code handleMessage}, then the limits
 * of the method for the message's kind.
 */
final class HandlerGate {

	private final ThrottleGate gate;

	private final WebSocketHandler handler;

	private final List<Method> text;

	private final List<Method> binary;

	private final List<Method> pong;

	HandlerGate(ThrottleGate gate, WebSocketHandler handler) {
		this.gate = gate;
		this.handler = handler;
		this.text = limited("handleTextMessage", TextMessage.class);
		this.binary = limited("handleBinaryMessage", BinaryMessage.class);
		this.pong = limited("handlePongMessage", PongMessage.class);
	}

	/** Returns whether the handling of such messages has limits. */
	boolean limits(WebSocketMessage<?> message) {
		return !methods(message).isEmpty();
	}

	/**
	 * Calls the handler when the limits admit it; never blocks.
	 * @param body passes the message to the handler
	 * @return ends with the call, or fails with a
	 * {@link dev.sluice.throttle.ThrottledException}
	 */
	CompletableFuture<@Nullable Object> call(OrderedWebSocketSession session, WebSocketMessage<?> message,
			Callable<?> body) {
		return call(methods(message).iterator(), session, message, body);
	}

	private CompletableFuture<@Nullable Object> call(Iterator<Method> methods, OrderedWebSocketSession session,
			WebSocketMessage<?> message, Callable<?> body) {
		Method method = methods.next();
		return this.gate.call(method, this.handler, new Object[] { session, message },
				session.expressionVariables(session),
				methods.hasNext() ? () -> call(methods, session, message, body) : body);
	}

	private List<Method> methods(WebSocketMessage<?> message) {
		return (message instanceof TextMessage) ? this.text
				: (message instanceof BinaryMessage) ? this.binary : this.pong;
	}

	private List<Method> limited(String name, Class<?> messageType) {
		return Stream.of(find("handleMessage", WebSocketMessage.class), find(name, messageType))
			.filter(Objects::nonNull)
			.toList();
	}

	private @Nullable Method find(String name, Class<?> messageType) {
		Class<?> type = AopUtils.getTargetClass(this.handler);
		Method method = ReflectionUtils.findMethod(type, name, WebSocketSession.class, messageType);
		return (method != null && this.gate.guards(method, type)) ? method : null;
	}

}
