package dev.sluice.websocket.handler;

import java.util.Map;
import java.util.function.Supplier;

import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;

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
			handlers.replaceAll((path, handler) -> replace(handler));
		}
		return true;
	}

	private Object replace(Object handler) {
		HandlerContext context = this.dispatcher.get().context();
		HandshakeGuard guard = new HandshakeGuard(context.admission());
		if (handler instanceof WebSocketHttpRequestHandler http) {
			return new OrderedHttpRequestHandler(http.getWebSocketHandler(), http.getHandshakeHandler(),
					http.getHandshakeInterceptors(), guard);
		}
		if (handler instanceof SockJsHttpRequestHandler sockJs) {
			guard.guard(sockJs);
			return new OrderedSockJsRequestHandler(sockJs.getSockJsService(), sockJs.getWebSocketHandler(),
					context.sessions());
		}
		return handler;
	}

}
