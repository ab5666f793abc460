package dev.sluice.websocket.endpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionTypeResolver;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.endpoint.EndpointSelection.Endpoint;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.handler.HandshakeGuard;
import dev.sluice.websocket.handler.OrderedHttpRequestHandler;
import dev.sluice.websocket.handler.OriginReport;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.session.ManagedConnection;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.util.Assert;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;
import org.springframework.web.socket.server.support.OriginHandshakeInterceptor;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Mapping of the paths of {@link WebSocketEndpoint} beans, for WebSocket requests. It can
 * be used together with {@code @EnableWebSocket}.
 *
 * @since 0.1.0
 */
public final class WebSocketEndpointHandlerMapping extends WebSocketHandlerMapping
		implements SmartInitializingSingleton {

	private final HandlerContext context;

	private final Map<String, EndpointSelection> paths = new HashMap<>();

	/** The path of each mapped handler. */
	private final Map<Object, EndpointSelection> handlers = new HashMap<>();

	/** The session class of each bean. */
	private final Map<String, Class<?>> beans = new LinkedHashMap<>();

	private HandshakeHandler handshakeHandler = new DefaultHandshakeHandler();

	private List<HandshakeInterceptor> interceptors = List.of();

	private List<String> allowedOrigins = List.of();

	private @Nullable SessionTypeResolver sessionTypeResolver;

	private Supplier<@Nullable EndpointExtension> extensions = () -> null;

	private @Nullable EndpointExtension extension;

	/**
	 * Creates the mapping.
	 * @param dispatcher handles the messages
	 */
	public WebSocketEndpointHandlerMapping(WebSocketDispatcher dispatcher) {
		this.context = dispatcher.context();
		setWebSocketUpgradeMatch(true);
		// before controllers, which reject a handshake at the path of their POST method
		setOrder(-1);
	}

	/**
	 * Sets the handler that performs the handshake and determines the principal of the
	 * client.
	 * @param handshakeHandler the handler, a {@link DefaultHandshakeHandler} by default
	 */
	public void setHandshakeHandler(HandshakeHandler handshakeHandler) {
		this.handshakeHandler = handshakeHandler;
	}

	/**
	 * Sets the interceptors that are called before and after each handshake and may add
	 * attributes.
	 * @param interceptors the interceptors, in their order
	 */
	public void setHandshakeInterceptors(List<HandshakeInterceptor> interceptors) {
		this.interceptors = List.copyOf(interceptors);
	}

	/**
	 * Sets the origins, in addition to the endpoint's own, from which browsers may
	 * connect.
	 * @param origins origins, or patterns of them such as {@code "https://*.example.org"}
	 */
	public void setAllowedOrigins(List<String> origins) {
		this.allowedOrigins = List.copyOf(origins);
	}

	/**
	 * Sets the resolver that chooses among the session classes of one path and
	 * sub-protocol.
	 * @param sessionTypeResolver the resolver; without one there must be at most one
	 * class
	 */
	public void setSessionTypeResolver(SessionTypeResolver sessionTypeResolver) {
		this.sessionTypeResolver = sessionTypeResolver;
	}

	/**
	 * Sets the extension of endpoints that have topics or are resumable.
	 * @param extension supplies the extension, and is called only if such an endpoint
	 * exists; {@code null}, the default, if no class may have topics or be resumable
	 */
	public void setExtension(Supplier<@Nullable EndpointExtension> extension) {
		this.extensions = extension;
	}

	@Override
	public void initApplicationContext() {
		ApplicationContext context = obtainApplicationContext();
		Assert.isInstanceOf(ConfigurableApplicationContext.class, context);
		ConfigurableBeanFactory beanFactory = ((ConfigurableApplicationContext) context).getBeanFactory();
		for (String name : context.getBeanNamesForAnnotation(WebSocketEndpoint.class)) {
			register(beanFactory, name, context.findAnnotationOnBean(name, WebSocketEndpoint.class, false),
					context.getType(name, false));
		}
		super.initApplicationContext();
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory beanFactory = ((ConfigurableApplicationContext) obtainApplicationContext())
			.getBeanFactory();
		this.beans.forEach(new EndpointConstructors(beanFactory)::check);
		new StrayBeans(beanFactory, this.beans.keySet()).report();
		if (this.extension != null) {
			this.extension.start();
		}
	}

	private void register(ConfigurableBeanFactory beanFactory, String beanName, @Nullable WebSocketEndpoint endpoint,
			@Nullable Class<?> type) {
		Assert.state(endpoint != null && type != null, () -> "Bean '" + beanName + "' must have a known class");
		if (!ManagedSession.class.isAssignableFrom(type)) {
			throw new InvalidEndpointException(type, "It must extend " + ManagedSession.class.getName(),
					"Let " + type.getSimpleName() + " extend ManagedSession, or remove @WebSocketEndpoint.");
		}
		if (!beanFactory.isPrototype(beanName)) {
			throw new InvalidEndpointException(type, "Its bean '" + beanName + "' must be a prototype",
					"Remove its @Scope, or declare the bean with @Scope(\"prototype\"): each connection has an object of its own.");
		}
		if (endpoint.path().length == 0) {
			throw new InvalidEndpointException(type, "It must have a path",
					"Name one, as in @WebSocketEndpoint(path = \"/bank\").");
		}
		List<String> paths = Stream.of(endpoint.path())
			.map((pattern) -> resolve(beanFactory, type, "path", pattern))
			.toList();
		List<String> topics = Stream.of(endpoint.topics())
			.map((name) -> resolve(beanFactory, type, "topic", name))
			.toList();
		check(type, endpoint, paths, topics);
		SessionObjects objects = new SessionObjects(beanFactory, beanName);
		SessionLifecycle lifecycle = lifecycle(
				new ExtendedEndpoint(beanName, type, paths, topics, endpoint.resumable(), objects, this.context));
		WebSocketHandler sessions = EndpointHandler.ordered(type, this.context, lifecycle);
		this.beans.put(beanName, type);
		for (String path : paths) {
			WebSocketHttpRequestHandler handler = new OrderedHttpRequestHandler(sessions, this.handshakeHandler,
					interceptors(), new HandshakeGuard(this.context.admission(), endpoint.resumable()));
			EndpointSelection known = this.paths.get(path);
			if (known == null) {
				this.paths.keySet().stream().filter((other) -> form(other).equals(form(path))).forEach((other) -> {
					throw new InvalidEndpointException(type,
							"Its path '" + path + "' matches the same requests as the path '" + other
									+ "' of another class",
							"Give the variables of both paths the same names, or change one of the paths.");
				});
				known = new EndpointSelection(path, this.sessionTypeResolver);
				this.paths.put(path, known);
				this.handlers.put(handler, known);
				setUrlMap(Map.of(path, handler));
			}
			known.add(new Endpoint(type.asSubclass(ManagedSession.class), List.of(endpoint.subProtocols()), handler));
		}
	}

	private static void check(Class<?> type, WebSocketEndpoint endpoint, List<String> paths, List<String> topics) {
		EndpointTexts texts = new EndpointTexts(type);
		paths.forEach(texts::checkPath);
		Stream.of(endpoint.subProtocols()).forEach(texts::checkSubProtocol);
		topics.forEach((topic) -> texts.checkTopic(topic, paths));
		new ForeignParts(type, endpoint.resumable()).check();
	}

	/** Returns a path without the names of its variables. */
	private static String form(String path) {
		return path.replaceAll("\\{\\*[^/{}]*}", "{*}").replaceAll("\\{[^:*/{}]*([:}])", "{$1");
	}

	private SessionLifecycle lifecycle(ExtendedEndpoint endpoint) {
		if (endpoint.topics().isEmpty() && !endpoint.resumable()) {
			return new ConnectedSessions(endpoint.objects(), this.context.messages());
		}
		this.extension = this.extensions.get();
		if (this.extension == null) {
			throw new InvalidEndpointException(endpoint.type(),
					"It has topics or is resumable, and 'sluice-cluster' is not on the class path",
					"Add the dependency dev.sluice:sluice-cluster, or remove 'topics' and 'resumable'.");
		}
		return this.extension.extend(endpoint);
	}

	private static String resolve(ConfigurableBeanFactory beanFactory, Class<?> type, String kind, String text) {
		String resolved;
		try {
			resolved = String.valueOf(beanFactory.resolveEmbeddedValue(text));
		}
		catch (IllegalArgumentException ex) {
			resolved = text;
		}
		if (resolved.contains("${")) {
			throw new InvalidEndpointException(type,
					"Its " + kind + " '" + text + "' has a placeholder without a value",
					"Set the property that it names, or give it a default, as in ${rooms.prefix:room}.");
		}
		return resolved;
	}

	/** Returns whether a request has the path of an endpoint. */
	boolean hasPath(HttpServletRequest request) {
		PathContainer path = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
		return getPathPatternHandlerMap().keySet().stream().anyMatch((pattern) -> pattern.matches(path));
	}

	@Override
	protected @Nullable Object getHandlerInternal(HttpServletRequest request) throws Exception {
		Object found = super.getHandlerInternal(request);
		if (!(found instanceof HandlerExecutionChain chain)) {
			return found;
		}
		EndpointSelection path = this.handlers.get(chain.getHandler());
		return (path != null) ? new HandlerExecutionChain(path.handler(request), chain.getInterceptors()) : chain;
	}

	/**
	 * Exposes the variables as well. Spring matches the path within the application, but
	 * extracts variables from the whole path, where a context path shifts them.
	 */
	@Override
	protected void exposePathWithinMapping(String pattern, String pathWithinMapping, HttpServletRequest request) {
		PathContainer path = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
		PathPattern parsed = PathPatternParser.defaultInstance.parse(pattern);
		super.exposePathWithinMapping(pattern, parsed.extractPathWithinPattern(path).value(), request);
		PathPattern.PathMatchInfo match = parsed.matchAndExtract(path);
		Assert.state(match != null, () -> "Path '" + path.value() + "' does not match '" + pattern + "'");
		super.exposeUriTemplateVariables(match.getUriVariables(), request);
	}

	/** The variables are exposed with the path. */
	@Override
	protected void exposeUriTemplateVariables(Map<String, String> variables, HttpServletRequest request) {
	}

	private List<HandshakeInterceptor> interceptors() {
		OriginHandshakeInterceptor origins = new OriginHandshakeInterceptor();
		origins.setAllowedOriginPatterns(this.allowedOrigins);
		List<HandshakeInterceptor> all = new ArrayList<>(this.interceptors);
		all.add(new OriginReport(origins, "allow them by 'sluice.websocket.allowed-origins'"));
		all.add(new PathVariablesInterceptor());
		return all;
	}

	/** Keeps the path and its variables for the session. */
	private static final class PathVariablesInterceptor implements HandshakeInterceptor {

		@Override
		public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Map<String, Object> attributes) {
			HttpServletRequest handshake = ((ServletServerHttpRequest) request).getServletRequest();
			Object variables = handshake.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
			if (variables instanceof Map<?, ?> map && !map.isEmpty()) {
				attributes.put(ManagedConnection.PATH_VARIABLES, Map.copyOf(map));
			}
			attributes.put(ManagedConnection.PATH,
					ServletRequestPathUtils.getParsedRequestPath(handshake).pathWithinApplication().value());
			return true;
		}

		@Override
		public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				@Nullable Exception exception) {
		}

	}

}
