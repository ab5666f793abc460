package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.util.Set;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.message.FailureLog;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Calls of the methods of one endpoint.
 *
 * @param routes finds the methods
 * @param limited the methods that annotations limit
 * @param validation validates arguments, or {@code null}
 * @param failures logs the failures of methods
 */
record EndpointCalls(MessageRoutes routes, HandlerContext context, Set<Method> limited,
		@Nullable MessageValidation validation, FailureLog failures) {

	/** Returns the route of messages regardless of their content, if any. */
	@Nullable MessageRoute whole(WebSocketMessage<?> message) {
		return (message instanceof TextMessage) ? this.routes.text() : this.routes.binary();
	}

	/** Returns the gate before a method, or {@code null} if nothing limits the method. */
	@Nullable ThrottleGate gate(MessageRoute route) {
		return this.limited.contains(route.method()) ? this.context.gate() : null;
	}

	/** Returns why an argument is invalid, or {@code null} if it is valid. */
	@Nullable String fault(MessageRoute route, @Nullable Object argument) {
		return (this.validation != null && route.hints() != null && argument != null)
				? this.validation.fault(argument, route.hints()) : null;
	}

}
