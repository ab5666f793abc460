package dev.sluice.autoconfigure.websocket;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.websocket.endpoint.WebSocketEndpointHandlerMapping;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
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
final class EndpointPathsCheck {

	/** Order of the controllers of Spring MVC. */
	private static final int CONTROLLERS = 0;

	private static final List<String> PREFIXES = List.of("server.servlet.context-path", "spring.mvc.servlet.path");

	private static final Log logger = LogFactory.getLog(EndpointPathsCheck.class);

	private final ListableBeanFactory beans;

	private final Environment environment;

	EndpointPathsCheck(ListableBeanFactory beans, Environment environment) {
		this.beans = beans;
		this.environment = environment;
	}

	void check() {
		this.beans.getBeansOfType(WebSocketEndpointHandlerMapping.class).values().forEach((mapping) -> {
			Set<String> paths = mapping.getHandlerMap().keySet();
			if (!paths.isEmpty()) {
				check(mapping, paths);
				PREFIXES.forEach((property) -> reportPrefix(property, paths));
			}
		});
	}

	/** Paths begin behind the prefix of the application. */
	private void reportPrefix(String property, Set<String> paths) {
		String prefix = StringUtils.trimTrailingCharacter(this.environment.getProperty(property, ""), '/');
		if (!prefix.isEmpty()) {
			paths.stream()
				.filter((path) -> path.startsWith(prefix + '/'))
				.forEach((path) -> logger.warn("The path '" + path + "' of a @WebSocketEndpoint begins with '"
						+ property + "', so that clients connect to '" + prefix + path + "'. Remove '" + prefix
						+ "' from the path, unless this is intended"));
		}
	}

	private void check(WebSocketEndpointHandlerMapping mapping, Set<String> paths) {
		this.beans.getBeansOfType(RequestMappingInfoHandlerMapping.class)
			.values()
			.stream()
			.filter((other) -> other.getOrder() <= CONTROLLERS)
			.forEach((other) -> paths.forEach((path) -> check(path, other.getHandlerMethods())));
		this.beans.getBeansOfType(HandlerMapping.class)
			.values()
			.stream()
			.filter((other) -> other != mapping && other instanceof AbstractUrlHandlerMapping)
			.map(AbstractUrlHandlerMapping.class::cast)
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
