package dev.sluice.autoconfigure.websocket;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Paths of handlers that are not wrapped. Warns of a pattern that no handler matches once
 * the application has registered its handlers.
 */
final class ExcludedPaths {

	private static final Log logger = LogFactory.getLog(ExcludedPaths.class);

	private final List<PathPattern> patterns;

	private final Supplier<Stream<AbstractUrlHandlerMapping>> mappings;

	ExcludedPaths(Collection<String> patterns, Supplier<Stream<AbstractUrlHandlerMapping>> mappings) {
		this.patterns = patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
		this.mappings = mappings;
	}

	boolean isIncluded(String path) {
		return this.patterns.stream().noneMatch((pattern) -> matches(pattern, path));
	}

	private static boolean matches(PathPattern pattern, String path) {
		// SockJS appends the second part to the path of its handler
		return pattern.matches(PathContainer.parsePath(path))
				|| pattern.matches(PathContainer.parsePath(path.replaceFirst("/\\*\\*$", "")));
	}

	void check() {
		if (this.patterns.isEmpty()) {
			return;
		}
		Set<String> paths = new TreeSet<>();
		this.mappings.get().forEach((mapping) -> mapping.getHandlerMap().forEach((path, handler) -> {
			if (handler instanceof WebSocketHttpRequestHandler || handler instanceof SockJsHttpRequestHandler) {
				paths.add(path);
			}
		}));
		this.patterns.stream()
			.filter((pattern) -> paths.stream().noneMatch((path) -> matches(pattern, path)))
			.forEach((pattern) -> warn(pattern, paths));
	}

	private static void warn(PathPattern pattern, Set<String> paths) {
		logger.warn("No handler has the path '" + pattern + "' of 'sluice.websocket.handlers.exclude-paths'; "
				+ "the paths of handlers are " + paths);
	}

}
