package dev.sluice.websocket.endpoint;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.execution.Level;
import dev.sluice.internal.Failures;
import dev.sluice.internal.FatalErrors;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.InvalidMessageException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.SessionConnection;
import dev.sluice.websocket.handler.ErrorAnswers;
import dev.sluice.websocket.inbound.InboundMessage;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.InvalidDefinitionException;

import org.springframework.util.StringUtils;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;

/**
 * A message for a method of a typed session. Its turn finds the method, reads the
 * argument, calls the method behind its limits, and answers with the result.
 */
final class EndpointMessage extends InboundMessage {

	private static final Log logger = LogFactory.getLog(EndpointMessage.class);

	private static final int MAX_QUOTED_LENGTH = 100;

	private static final Object[] NO_ARGUMENTS = {};

	private final EndpointCalls calls;

	private final OrderedWebSocketSession session;

	private final WebSocketMessage<?> payload;

	EndpointMessage(EndpointCalls calls, OrderedWebSocketSession session, WebSocketMessage<?> payload, Level level) {
		super(session.inbound(), MessageCost.of(payload), level);
		this.calls = calls;
		this.session = session;
		this.payload = payload;
	}

	@Override
	protected CompletionStage<@Nullable Void> handle() throws SessionClosedException {
		ManagedSession managed = this.session.managed();
		if (managed == null) {
			throw new SessionClosedException(this.session.getId());
		}
		MessageRoute route;
		@Nullable Object[] arguments;
		try {
			route = route();
			arguments = (route != null) ? arguments(route) : null;
		}
		catch (Throwable ex) {
			endUnread(managed, ex);
			FatalErrors.passOn(ex);
			return HANDLED;
		}
		if (route == null || arguments == null) {
			return HANDLED;
		}
		try {
			ThrottleGate limits = this.calls.gate(route);
			Object result = (limits == null) ? result(route.call(managed, arguments)) : awaited(limits
				.call(route.method(), managed, arguments, this.session.expressionVariables(managed), decorated(() -> {
					admitted();
					return result(route.call(managed, arguments));
				})));
			if (result instanceof CompletionStage<?> stage) {
				return stage.<@Nullable Void>handle((value, failure) -> {
					proceed(() -> end(managed, value, failure));
					return null;
				});
			}
			end(managed, result, null);
		}
		catch (Throwable ex) {
			end(managed, null, ex);
		}
		return HANDLED;
	}

	/** Returns the route, or answers that there is none. */
	private @Nullable MessageRoute route() {
		MessageRoute whole = this.calls.whole(this.payload);
		if (whole != null) {
			identified((this.payload instanceof TextMessage) ? "text" : "binary");
			return whole;
		}
		if (!(this.payload instanceof TextMessage text)) {
			return invalid("unknown-type", "No handler for binary messages");
		}
		identified("unknown");
		MessageRoutes routes = this.calls.routes();
		if (!routes.hasJson()) {
			return invalid("unknown-type", "No handler for text messages");
		}
		String type;
		try {
			type = messages().typeOf(text.getPayload());
		}
		catch (JacksonException ex) {
			return invalid("unreadable", messages().describe(ex));
		}
		MessageRoute route = routes.json(type);
		if (route == null) {
			String subject = (type != null) ? "type '" + StringUtils.truncate(type, MAX_QUOTED_LENGTH) + "'"
					: "messages without a type";
			return invalid("unknown-type",
					"No handler for " + subject + "; known: " + String.join(", ", routes.types()));
		}
		identified((type != null && routes.isNamed(type)) ? type : "other");
		return route;
	}

	/** Returns the arguments of the method, or answers that they are invalid. */
	private @Nullable Object @Nullable [] arguments(MessageRoute route) {
		Object argument;
		try {
			argument = read(route);
		}
		catch (JacksonException ex) {
			if (ex instanceof InvalidDefinitionException) {
				throw ex;
			}
			logger.debug("Unreadable message in " + this.session, ex);
			return invalid("unreadable", messages().describe(ex));
		}
		if (route.payload() == null) {
			return NO_ARGUMENTS;
		}
		String fault = this.calls.fault(route, argument);
		return (fault != null) ? invalid("invalid", fault) : new Object[] { argument };
	}

	private @Nullable Object read(MessageRoute route) {
		if (this.payload instanceof BinaryMessage binary) {
			return (route.payload() == byte[].class) ? binary.getPayload().array() : binary.getPayload();
		}
		String text = ((TextMessage) this.payload).getPayload();
		return (route.reader() != null) ? route.read(text) : text;
	}

	/** Answers an invalid message; returns {@code null}. */
	private <T> @Nullable T invalid(String reason, String detail) {
		InvalidMessageException invalid = new InvalidMessageException(reason, detail);
		failed(invalid);
		answers().answer(this.session, invalid);
		return null;
	}

	/** A stage that never ends is abandoned with its session. */
	private @Nullable Object result(@Nullable Object result) {
		return (result instanceof CompletionStage<?> stage) ? this.session.handling().of(stage) : result;
	}

	/** A type that cannot be read is a mistake in the method. */
	private void endUnread(ManagedSession managed, Throwable failure) {
		if (failure instanceof InvalidDefinitionException) {
			end(managed, null, failure);
		}
		else {
			close(failure);
		}
	}

	private void end(ManagedSession managed, @Nullable Object value, @Nullable Throwable failure) {
		try {
			if (failure != null) {
				fail(managed, Failures.cause(failure));
				return;
			}
			Object answer = (value instanceof Optional<?> optional) ? optional.orElse(null) : value;
			if (answer != null) {
				reply(managed, answer);
			}
		}
		catch (Throwable ex) {
			close(ex);
			FatalErrors.passOn(ex);
		}
	}

	private void close(Throwable failure) {
		failed(failure);
		ExceptionWebSocketHandlerDecorator.tryCloseWithError(this.session, failure, logger);
	}

	/** A result that cannot be sent counts as a failure of its method. */
	private void reply(ManagedSession managed, Object value) throws Exception {
		CompletableFuture<@Nullable Void> sent;
		try {
			sent = this.session.outbound().send(messages().write(value), Level.NORMAL);
		}
		catch (JacksonException ex) {
			fail(managed, ex);
			return;
		}
		IllegalArgumentException unsendable = ManagedConnection.unsendable(sent);
		if (unsendable != null) {
			fail(managed, unsendable);
		}
	}

	private void fail(ManagedSession managed, Throwable failure) throws Exception {
		failed(failure);
		if (failure instanceof ThrottledException rejection) {
			this.calls.context().throttledAnswer().answer(this.session, rejection);
			return;
		}
		Object answer = answers().choose(this.session, failure);
		if (answer == null) {
			this.calls.failures().error(this::describe, failure);
		}
		else {
			logger.debug("Failed to handle " + describe(), failure);
		}
		SessionConnection.failed(managed, failure);
		answers().post(this.session, failure, answer);
	}

	private JsonMessages messages() {
		return this.calls.context().messages();
	}

	private ErrorAnswers answers() {
		return this.calls.context().throttledAnswer().answers();
	}

}
