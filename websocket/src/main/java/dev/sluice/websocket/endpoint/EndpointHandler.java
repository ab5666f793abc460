package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.execution.Level;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionConnection;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.handler.MessageIntake;
import dev.sluice.websocket.handler.OrderedWebSocketHandler;
import dev.sluice.websocket.inbound.InboundFrame;
import dev.sluice.websocket.inbound.WaitingMessage;
import dev.sluice.websocket.message.FailureLog;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionKind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.SubProtocolCapable;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/**
 * Handler of the connections to one endpoint, whose messages are
 * {@link EndpointMessage}s.
 */
public final class EndpointHandler implements WebSocketHandler, SubProtocolCapable, MessageIntake {

	private static final Log logger = LogFactory.getLog(EndpointHandler.class);

	private final Class<?> type;

	private final EndpointCalls calls;

	/** Whether a text may pass other messages because of its type. */
	private final boolean urgent;

	private final SessionLifecycle lifecycle;

	private EndpointHandler(Class<?> type, MessageRoutes routes, HandlerContext context, SessionLifecycle lifecycle) {
		this.type = type;
		this.urgent = routes.hasUrgent();
		this.lifecycle = lifecycle;
		ThrottleGate gate = context.gate();
		Set<Method> limited = routes.methods()
			.stream()
			.filter((method) -> gate != null && gate.guards(method, type))
			.collect(Collectors.toSet());
		if (context.validator() == null) {
			routes.requireNoValidation();
		}
		this.calls = new EndpointCalls(routes, context, limited,
				(context.validator() != null) ? new MessageValidation(context.validator()) : null,
				new FailureLog(logger, NanoClock.system(), "Failed to handle"));
	}

	/**
	 * Creates the handler that the container calls for the connections to an endpoint.
	 * @param type class of the sessions
	 * @param lifecycle begin and end of the sessions
	 */
	public static WebSocketHandler ordered(Class<?> type, HandlerContext context, SessionLifecycle lifecycle) {
		MessageRoutes routes = new MessageRoutes(type, context.messages());
		EndpointHandler handler = new EndpointHandler(type, routes, context, lifecycle);
		if (lifecycle.isUndecided()) {
			ResumableRules.check(type, routes, handler.getSubProtocols());
		}
		return new OrderedWebSocketHandler(handler,
				new SessionKind(handler.type(), handler.hasLevels(), FullBuffer.WAIT), context);
	}

	@Override
	public boolean managesSessions() {
		return true;
	}

	@Override
	public boolean isUndecided() {
		return this.lifecycle.isUndecided();
	}

	/** Type under which the sessions are counted. */
	private String type() {
		return ClassUtils.getUserClass(this.type).getSimpleName();
	}

	@Override
	public List<String> getSubProtocols() {
		WebSocketEndpoint endpoint = AnnotatedElementUtils.findMergedAnnotation(this.type, WebSocketEndpoint.class);
		return (endpoint != null) ? List.of(endpoint.subProtocols()) : List.of();
	}

	/** Returns whether a message may pass others. */
	private boolean hasLevels() {
		return this.urgent || this.calls.context().levels() != null;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) throws Exception {
		this.lifecycle.open((OrderedWebSocketSession) session);
	}

	@Override
	public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
		throw new IllegalStateException("Messages of endpoints are received");
	}

	@Override
	public void handleTransportError(WebSocketSession session, Throwable exception) throws Exception {
		ManagedSession managed = ((OrderedWebSocketSession) session).managed();
		if (managed != null) {
			SessionConnection.failed(managed, exception);
		}
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus status) throws Exception {
		this.lifecycle.close((OrderedWebSocketSession) session, status);
	}

	@Override
	public boolean supportsPartialMessages() {
		return false;
	}

	/**
	 * Finds the message's level on the container's thread. JSON waits as text, because
	 * its tree takes several times the memory.
	 */
	@Override
	public @Nullable WaitingMessage receive(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		if (message instanceof PongMessage) {
			return null;
		}
		if (this.lifecycle.isProtocol(session, message)) {
			return new InboundFrame(MessageCost.of(message),
					() -> this.lifecycle.take(session, ((TextMessage) message).getPayload()));
		}
		return new EndpointMessage(this.calls, session, message,
				this.calls.context().level(session, message, level(message)));
	}

	private Level level(WebSocketMessage<?> message) {
		MessageRoute route = this.calls.whole(message);
		if (route == null && this.urgent && message instanceof TextMessage text) {
			try {
				route = this.calls.routes().json(this.calls.context().messages().typeOf(text.getPayload()));
			}
			catch (JacksonException ex) {
				return Level.NORMAL;
			}
		}
		return (route != null) ? route.level() : Level.NORMAL;
	}

}
