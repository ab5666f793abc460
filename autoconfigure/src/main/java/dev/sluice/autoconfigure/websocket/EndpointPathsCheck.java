package dev.sluice.autoconfigure.websocket;

import java.util.Map;
import java.util.Set;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.websocket.endpoint.WebSocketEndpointHandlerMapping;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Stops the start if the handshakes of a typed session reach a controller or another
 * handler with the same path.
 */
final class EndpointPathsCheck implements SmartInitializingSingleton {

	/** Order of the controllers of Spring MVC. */
	private static final int CONTROLLERS = 0;

	private final ListableBeanFactory beans;

	EndpointPathsCheck(ListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.beans.getBeansOfType(WebSocketEndpointHandlerMapping.class).values().forEach((mapping) -> {
			Set<String> paths = mapping.getHandlerMap().keySet();
			if (!paths.isEmpty()) {
				check(mapping, paths);
			}
		});
	}

	private void check(WebSocketEndpointHandlerMapping mapping, Set<String> paths) {
		this.beans.getBeansOfType(RequestMappingInfoHandlerMapping.class)
			.values()
			.stream()
			.filter((other) -> other.getOrder() <= CONTROLLERS)
			.forEach((other) -> paths.forEach((path) -> check(path, other.getHandlerMethods())));
		this.beans.getBeansOfType(AbstractUrlHandlerMapping.class)
			.values()
			.stream()
			.filter((other) -> other != mapping)
			.forEach((other) -> paths
				.forEach((path) -> checkHandlers(path, other, other.getOrder() <= mapping.getOrder())));
	}

	private static void check(String path, Map<RequestMappingInfo, HandlerMethod> methods) {
		methods.forEach((info, method) -> {
			PathPatternsRequestCondition patterns = info.getPathPatternsCondition();
			if (patterns != null && isForHandshakes(info)
					&& patterns.getPatterns().stream().anyMatch((pattern) -> matches(pattern, path))) {
				throw conflict(path, "the method " + ClassUtils.getQualifiedMethodName(method.getMethod()));
			}
		});
	}

	private static boolean isForHandshakes(RequestMappingInfo info) {
		Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
		return (methods.isEmpty() || methods.contains(RequestMethod.GET)) && info.getParamsCondition().isEmpty()
				&& info.getHeadersCondition().isEmpty() && info.getConsumesCondition().isEmpty()
				&& info.getCustomCondition() == null;
	}

	private static void checkHandlers(String path, AbstractUrlHandlerMapping mapping, boolean precedes) {
		mapping.getHandlerMap().forEach((pattern, handler) -> {
			boolean matches = precedes ? matches(mapping, pattern, path)
					: handler instanceof WebSocketHttpRequestHandler && pattern.equals(path);
			if (matches) {
				throw conflict(path,
						"the handler of '" + pattern + "', " + ((handler instanceof WebSocketHttpRequestHandler http)
								? http.getWebSocketHandler() : handler));
			}
		});
	}

	/**
	 * Compares as the mapping does, whose patterns may not be of the syntax of a parser.
	 */
	@SuppressWarnings({ "deprecation", "removal" })
	private static boolean matches(AbstractUrlHandlerMapping mapping, String pattern, String path) {
		PathPatternParser parser = mapping.getPatternParser();
		return (parser != null) ? matches(parser.parse(pattern), path)
				: mapping.getPathMatcher().match(pattern, example(path));
	}

	private static boolean matches(PathPattern pattern, String path) {
		return pattern.matches(PathContainer.parsePath(example(path)));
	}

	/** Returns a path that has a text in the place of each variable. */
	private static String example(String path) {
		return path.replaceAll("\\{[^/]*}|\\*+", "sluice");
	}

	private static InvalidConfigurationException conflict(String path, String other) {
		return new InvalidConfigurationException("The path '" + path + "' of a @WebSocketEndpoint is also the path of "
				+ other + ": only one of the two receives the handshakes", "Change one of the paths.");
	}

}
