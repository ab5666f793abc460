package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.execution.Level;
import dev.sluice.internal.FatalErrors;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.InvalidMessageException;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.SessionConnection;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.handler.MessageIntake;
import dev.sluice.websocket.handler.OrderedWebSocketHandler;
import dev.sluice.websocket.message.FailureLog;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionKind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.InvalidDefinitionException;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.SubProtocolCapable;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;

/**
 * Handler of the connections to one endpoint, which finds the method for each message,
 * calls it and answers. All methods except {@link #offer} run in the session's turn.
 */
public final class EndpointHandler implements WebSocketHandler, SubProtocolCapable, MessageIntake {

	private static final Log logger = LogFactory.getLog(EndpointHandler.class);

	private static final CompletionStage<@Nullable Void> DONE = CompletableFuture.completedFuture(null);

	private static final int MAX_QUOTED_LENGTH = 100;

	private final FailureLog failures = new FailureLog(logger, NanoClock.system(), "Failed to handle");

	private final Class<?> type;

	private final MessageRoutes routes;

	/** Whether a text may pass other messages because of its type. */
	private final boolean urgent;

	private final HandlerContext context;

	private final SessionLifecycle lifecycle;

	private final Set<Method> limited;

	private final @Nullable MessageValidation validation;

	private EndpointHandler(Class<?> type, MessageRoutes routes, HandlerContext context, SessionLifecycle lifecycle) {
		this.type = type;
		this.routes = routes;
		this.urgent = routes.hasUrgent();
		this.context = context;
		this.lifecycle = lifecycle;
		this.limited = routes.methods()
			.stream()
			.filter((method) -> context.gate() != null && context.gate().guards(method, type))
			.collect(Collectors.toSet());
		this.validation = (context.validator() != null) ? new MessageValidation(context.validator()) : null;
		if (this.validation == null) {
			routes.requireNoValidation();
		}
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
		return this.urgent || this.context.levels() != null;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) throws Exception {
		this.lifecycle.open((OrderedWebSocketSession) session);
	}

	@Override
	public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
		throw new IllegalStateException("Messages of endpoints are offered");
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
	public @Nullable CompletableFuture<?> offer(OrderedWebSocketSession session, WebSocketMessage<?> message) {
		if (!(message instanceof PongMessage) && this.lifecycle.isProtocol(session, message)) {
			return this.lifecycle.take(session, ((TextMessage) message).getPayload());
		}
		Call call;
		if (message instanceof TextMessage text) {
			call = read(text.getPayload());
		}
		else if (message instanceof BinaryMessage binary) {
			call = read(binary);
		}
		else {
			return null;
		}
		LevelResolver levels = this.context.levels();
		Level level = (levels != null) ? levels.resolve(session, message) : null;
		return session.observer()
			.submitStage((level != null) ? level : call.level(),
					() -> session.callAsPrincipal(() -> handle(session, call)));
	}

	private Call read(String text) {
		MessageRoute whole = this.routes.text();
		return (whole != null) ? call("text", whole, (route) -> text)
				: new Call(level(text), (session) -> readJson(session, text));
	}

	private Level level(String text) {
		if (!this.urgent) {
			return Level.NORMAL;
		}
		try {
			MessageRoute route = this.routes.json(this.context.messages().typeOf(text));
			return (route != null) ? route.level() : Level.NORMAL;
		}
		catch (JacksonException ex) {
			return Level.NORMAL;
		}
	}

	private CompletionStage<?> readJson(OrderedWebSocketSession session, String text) {
		identify(session, "unknown");
		if (!this.routes.hasJson()) {
			return invalid(session, "unknown-type", "No handler for text messages");
		}
		String type;
		try {
			type = this.context.messages().typeOf(text);
		}
		catch (JacksonException ex) {
			return invalid(session, "unreadable", this.context.messages().describe(ex));
		}
		MessageRoute route = this.routes.json(type);
		if (route == null) {
			String subject = (type != null) ? "type '" + StringUtils.truncate(type, MAX_QUOTED_LENGTH) + "'"
					: "messages without a type";
			return invalid(session, "unknown-type",
					"No handler for " + subject + "; known: " + String.join(", ", this.routes.types()));
		}
		identify(session, (type != null && this.routes.isNamed(type)) ? type : "other");
		return invoke(session, route, (present) -> present.read(text));
	}

	private Call read(BinaryMessage message) {
		MessageRoute route = this.routes.binary();
		if (route == null) {
			return new Call(Level.NORMAL,
					(session) -> invalid(session, "unknown-type", "No handler for binary messages"));
		}
		return call("binary", route,
				(present) -> (present.payload() == byte[].class) ? message.getPayload().array() : message.getPayload());
	}

	private Call call(String type, MessageRoute route, Function<MessageRoute, @Nullable Object> payload) {
		return new Call(route.level(), (session) -> {
			identify(session, type);
			return invoke(session, route, payload);
		});
	}

	private static void identify(OrderedWebSocketSession session, String type) {
		session.observer().identified(type, session.getPrincipal());
	}

	private CompletionStage<?> invalid(OrderedWebSocketSession session, String reason, String detail) {
		InvalidMessageException invalid = new InvalidMessageException(reason, detail);
		session.observer().failed(invalid);
		this.context.throttledAnswer().answers().answer(session, invalid);
		return DONE;
	}

	private CompletionStage<?> handle(OrderedWebSocketSession session, Call call) throws SessionClosedException {
		if (session.managed() == null) {
			throw new SessionClosedException(session.getId());
		}
		session.requireHandling();
		try {
			return call.action().apply(session);
		}
		catch (Throwable ex) {
			session.observer().failed(ex);
			ExceptionWebSocketHandlerDecorator.tryCloseWithError(session, ex, logger);
			FatalErrors.passOn(ex);
			return DONE;
		}
	}

	private CompletionStage<?> invoke(OrderedWebSocketSession session, MessageRoute route,
			Function<MessageRoute, @Nullable Object> payload) {
		@Nullable Object[] arguments;
		try {
			Object argument = payload.apply(route);
			arguments = (route.payload() != null) ? new Object[] { argument } : new Object[0];
		}
		catch (InvalidDefinitionException ex) {
			session.proceed(() -> end(session, null, ex));
			return DONE;
		}
		catch (JacksonException ex) {
			logger.debug("Unreadable message in " + session, ex);
			return invalid(session, "unreadable", this.context.messages().describe(ex));
		}
		String fault = fault(route, arguments);
		if (fault != null) {
			return invalid(session, "invalid", fault);
		}
		return call(session, route, arguments).handle((value, failure) -> {
			session.proceed(() -> end(session, value, failure));
			return null;
		});
	}

	private @Nullable String fault(MessageRoute route, @Nullable Object[] arguments) {
		if (this.validation == null || route.hints() == null || arguments[0] == null) {
			return null;
		}
		return this.validation.fault(arguments[0], route.hints());
	}

	private CompletionStage<?> call(OrderedWebSocketSession session, MessageRoute route, @Nullable Object[] arguments) {
		ManagedSession managed = Objects.requireNonNull(session.managed());
		try {
			ThrottleGate limits = this.context.gate();
			if (limits != null && this.limited.contains(route.method())) {
				return session.limitedCalls()
					.call((started) -> limits.call(route.method(), managed, arguments,
							session.expressionVariables(managed), started),
							() -> call(session, managed, route, arguments));
			}
			Object result = call(session, managed, route, arguments);
			return (result instanceof CompletionStage<?> stage) ? stage : CompletableFuture.completedFuture(result);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static @Nullable Object call(OrderedWebSocketSession session, ManagedSession managed, MessageRoute route,
			@Nullable Object[] arguments) throws Exception {
		Object result = route.call(managed, arguments);
		return (result instanceof CompletionStage<?> stage) ? session.handling().of(stage) : result;
	}

	private void end(OrderedWebSocketSession session, @Nullable Object value, @Nullable Throwable failure) {
		try {
			if (failure != null) {
				fail(session, (failure instanceof CompletionException && failure.getCause() != null)
						? failure.getCause() : failure);
			}
			else {
				Object answer = (value instanceof Optional<?> optional) ? optional.orElse(null) : value;
				if (answer != null) {
					reply(session, answer);
				}
			}
		}
		catch (Throwable ex) {
			session.observer().failed(ex);
			ExceptionWebSocketHandlerDecorator.tryCloseWithError(session, ex, logger);
			FatalErrors.passOn(ex);
		}
	}

	/** A result that cannot be sent counts as a failure of its method. */
	private void reply(OrderedWebSocketSession session, Object value) throws Exception {
		CompletableFuture<@Nullable Void> sent;
		try {
			sent = session.outbound().send(this.context.messages().write(value), Level.NORMAL);
		}
		catch (JacksonException ex) {
			fail(session, ex);
			return;
		}
		IllegalArgumentException unsendable = ManagedConnection.unsendable(sent);
		if (unsendable != null) {
			fail(session, unsendable);
		}
	}

	private void fail(OrderedWebSocketSession session, Throwable failure) throws Exception {
		session.observer().failed(failure);
		if (failure instanceof ThrottledException rejection) {
			this.context.throttledAnswer().answer(session, rejection);
			return;
		}
		Object answer = this.context.throttledAnswer().answers().choose(session, failure);
		if (answer == null) {
			this.failures.error(() -> session.observer().describe(session.getPrincipal()), failure);
		}
		else {
			logger.debug("Failed to handle " + session.observer().describe(session.getPrincipal()), failure);
		}
		SessionConnection.failed(Objects.requireNonNull(session.managed()), failure);
		this.context.throttledAnswer().answers().post(session, failure, answer);
	}

	/** Action to take for a message, and its level. */
	private record Call(Level level, Action action) {
	}

	/** Action to take for a message. */
	@FunctionalInterface
	private interface Action {

		CompletionStage<?> apply(OrderedWebSocketSession session);

	}

}
