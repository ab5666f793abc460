package dev.sluice.websocket;

import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.LoggingWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;

/**
 * Decorates every {@link WebSocketHandler} that {@code @EnableWebSocket} registers,
 * SockJS included. The handlers are replaced in the map of
 * {@code webSocketHandlerMapping} after the mapping was made and before it registers
 * them; mappings of other names (STOMP, GraphQL) are left alone.
 *
 * @since 0.1.0
 */
public final class OrderedHandlerMappingPostProcessor implements InstantiationAwareBeanPostProcessor {

	private static final String BEAN_NAME = "webSocketHandlerMapping";

	private final Supplier<WebSocketDispatcher> dispatcher;

	private final Supplier<Predicate<String>> included;

	/**
	 * Creates the post-processor. Post-processors are made before all other beans, so
	 * what it needs is asked for when the mapping is there.
	 * @param dispatcher supplies what handles the messages
	 * @param included supplies the choice of the handlers, by the pattern of their path
	 */
	public OrderedHandlerMappingPostProcessor(Supplier<WebSocketDispatcher> dispatcher,
			Supplier<Predicate<String>> included) {
		this.dispatcher = dispatcher;
		this.included = included;
	}

	@Override
	public boolean postProcessAfterInstantiation(Object bean, String beanName) {
		if (beanName.equals(BEAN_NAME) && bean instanceof WebSocketHandlerMapping mapping) {
			@SuppressWarnings("unchecked")
			Map<String, Object> handlers = (Map<String, Object>) mapping.getUrlMap();
			handlers.replaceAll((path, handler) -> this.included.get().test(path) ? replace(handler) : handler);
		}
		return true;
	}

	private Object replace(Object handler) {
		if (handler instanceof WebSocketHttpRequestHandler http) {
			return replace(http);
		}
		if (handler instanceof SockJsHttpRequestHandler sockJs) {
			guard().guard(sockJs);
			return new OrderedSockJsRequestHandler(sockJs.getSockJsService(), decorate(sockJs.getWebSocketHandler()),
					this.dispatcher.get());
		}
		return handler;
	}

	private WebSocketHttpRequestHandler replace(WebSocketHttpRequestHandler handler) {
		return new OrderedHttpRequestHandler(decorate(handler.getWebSocketHandler()), handler.getHandshakeHandler(),
				handler.getHandshakeInterceptors(), guard());
	}

	private HandshakeGuard guard() {
		return new HandshakeGuard(this.dispatcher.get());
	}

	private WebSocketHandler decorate(WebSocketHandler handler) {
		WebSocketHandler undecorated = handler;
		while (undecorated.getClass() == ExceptionWebSocketHandlerDecorator.class
				|| undecorated.getClass() == LoggingWebSocketHandlerDecorator.class) {
			undecorated = ((WebSocketHandlerDecorator) undecorated).getDelegate();
		}
		return this.dispatcher.get().decorate(undecorated);
	}

}
