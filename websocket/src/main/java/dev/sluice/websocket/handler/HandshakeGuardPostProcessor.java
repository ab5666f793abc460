package dev.sluice.websocket.handler;

import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;

/**
 * Post-processor that guards the handshakes of STOMP endpoints, which are rejected with
 * 503 while the application stops, or when the maximum number of sessions is reached.
 * Origins that are not allowed are logged.
 *
 * @param dispatcher supplies the dispatcher of the sessions; post-processors are created
 * before all other beans, so the supplier is called when the mapping exists
 * @since 0.1.0
 */
public record HandshakeGuardPostProcessor(
		Supplier<WebSocketDispatcher> dispatcher) implements InstantiationAwareBeanPostProcessor {

	private static final String BEAN_NAME = "stompWebSocketHandlerMapping";

	@Override
	public boolean postProcessAfterInstantiation(Object bean, String beanName) {
		if (beanName.equals(BEAN_NAME) && bean instanceof WebSocketHandlerMapping mapping) {
			@SuppressWarnings("unchecked")
			Map<String, Object> handlers = (Map<String, Object>) mapping.getUrlMap();
			HandlerContext context = this.dispatcher.get().context();
			handlers.replaceAll(
					(path, handler) -> OrderedRequestHandlers.ordered(handler, context, UnaryOperator.identity()));
			ReportingCorsProcessor.setOn(mapping);
		}
		return true;
	}

}
