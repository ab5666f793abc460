package dev.sluice.websocket.handler;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.LoggingWebSocketHandlerDecorator;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.messaging.SubProtocolWebSocketHandler;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Request handlers that serve every {@link WebSocketHandler} with a Spring MVC mapping,
 * including SockJS, in order, regardless of how the mapping was created. The handlers of
 * the mappings are not changed. Handlers with their own request handling and the handlers
 * of STOMP, whose messages are ordered by its channels, are not replaced.
 * {@link OrderedHandlerAdapterPostProcessor} has the replacements called.
 *
 * @since 0.1.0
 */
public final class OrderedRequestHandlers implements SmartInitializingSingleton {

	private static final boolean MESSAGING_PRESENT = ClassUtils.isPresent(
			"org.springframework.messaging.support.MessageBuilder", OrderedRequestHandlers.class.getClassLoader());

	private final Supplier<WebSocketDispatcher> dispatcher;

	private final Predicate<String> included;

	private final Supplier<Stream<AbstractUrlHandlerMapping>> mappings;

	/** The replacement of each handler, as long as the handler exists. */
	private final Map<HttpRequestHandler, HttpRequestHandler> replacements = Collections
		.synchronizedMap(new WeakHashMap<>());

	/**
	 * Creates the request handlers.
	 * @param dispatcher supplies the dispatcher of the messages, at the first request
	 * @param included chooses the handlers, by the pattern of their path
	 * @param mappings supplies the mappings whose handlers are prepared at the start
	 */
	public OrderedRequestHandlers(Supplier<WebSocketDispatcher> dispatcher, Predicate<String> included,
			Supplier<Stream<AbstractUrlHandlerMapping>> mappings) {
		this.dispatcher = dispatcher;
		this.included = included;
		this.mappings = mappings;
	}

	/**
	 * Prepares the handlers known by now, so that their limits are defined and verified
	 * before the application has started. Others are prepared by their first request.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.mappings.get().forEach((mapping) -> mapping.getHandlerMap().forEach((path, handler) -> {
			if (supports(handler) && serving((HttpRequestHandler) handler, path) != handler
					&& handler instanceof SockJsHttpRequestHandler) {
				ReportingCorsProcessor.setOn(mapping);
			}
		}));
	}

	private static boolean supports(Object handler) {
		return (handler instanceof WebSocketHttpRequestHandler http && isPlain(http, WebSocketHttpRequestHandler.class)
				&& !isStomp(http.getWebSocketHandler()))
				|| (handler instanceof SockJsHttpRequestHandler sockJs
						&& isPlain(sockJs, SockJsHttpRequestHandler.class) && !isStomp(sockJs.getWebSocketHandler()));
	}

	/** Returns whether a class does not override the handling of requests. */
	private static boolean isPlain(HttpRequestHandler handler, Class<?> type) {
		return ClassUtils
			.getMethod(ClassUtils.getUserClass(handler), "handleRequest", HttpServletRequest.class,
					HttpServletResponse.class)
			.getDeclaringClass() == type;
	}

	private static boolean isStomp(WebSocketHandler handler) {
		return MESSAGING_PRESENT && WebSocketHandlerDecorator.unwrap(handler) instanceof SubProtocolWebSocketHandler;
	}

	/**
	 * Returns the handler that serves a request in place of the mapped one.
	 */
	HttpRequestHandler serving(HttpRequestHandler handler, HttpServletRequest request) {
		return supports(handler) ? serving(handler, pattern(request)) : handler;
	}

	private HttpRequestHandler serving(HttpRequestHandler handler, String pattern) {
		return this.included.test(pattern) ? this.replacements.computeIfAbsent(handler, this::replace) : handler;
	}

	/** The pattern that matched the handler, or the path if no pattern is available. */
	private static String pattern(HttpServletRequest request) {
		Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		return (pattern != null) ? pattern.toString() : ServletRequestPathUtils.getCachedPathValue(request);
	}

	private HttpRequestHandler replace(HttpRequestHandler handler) {
		return (HttpRequestHandler) ordered(handler, this.dispatcher.get().context(), this::decorate);
	}

	/**
	 * Returns a request handler with guarded handshakes, if its sessions are WebSocket
	 * sessions.
	 * @param decoration decorates the handler of its messages
	 */
	static Object ordered(Object handler, HandlerContext context, UnaryOperator<WebSocketHandler> decoration) {
		HandshakeGuard guard = new HandshakeGuard(context.admission(), false);
		if (handler instanceof SockJsHttpRequestHandler sockJs) {
			guard.guard(sockJs);
			return new OrderedSockJsRequestHandler(sockJs.getSockJsService(),
					decoration.apply(sockJs.getWebSocketHandler()), context.sessions());
		}
		return (handler instanceof WebSocketHttpRequestHandler http)
				? new OrderedHttpRequestHandler(decoration.apply(http.getWebSocketHandler()),
						http.getHandshakeHandler(), http.getHandshakeInterceptors(), guard)
				: handler;
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
