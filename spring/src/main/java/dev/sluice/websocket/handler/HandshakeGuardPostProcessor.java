package dev.sluice.websocket.handler;

import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;

/**
 * Post-processor that guards the handshakes of STOMP endpoints, which are rejected with
 * 503 while the application stops, or when there are too many sessions.
 *
 * @since 0.1.0
 */
public final class HandshakeGuardPostProcessor implements InstantiationAwareBeanPostProcessor {

	private static final String BEAN_NAME = "stompWebSocketHandlerMapping";

	private final Supplier<WebSocketDispatcher> dispatcher;

	/**
	 * Creates the post-processor. Post-processors are made before all other beans, so
	 * what it needs is asked for when the mapping is there.
	 * @param dispatcher supplies what takes the sessions in
	 */
	public HandshakeGuardPostProcessor(Supplier<WebSocketDispatcher> dispatcher) {
		this.dispatcher = dispatcher;
	}

	@Override
	public boolean postProcessAfterInstantiation(Object bean, String beanName) {
		if (beanName.equals(BEAN_NAME) && bean instanceof WebSocketHandlerMapping mapping) {
			@SuppressWarnings("unchecked")
			Map<String, Object> handlers = (Map<String, Object>) mapping.getUrlMap();
			HandlerContext context = this.dispatcher.get().context();
			handlers.replaceAll(
					(path, handler) -> OrderedRequestHandlers.ordered(handler, context, UnaryOperator.identity()));
		}
		return true;
	}

}
