package dev.sluice.websocket.endpoint;

import java.util.ArrayList;
import java.util.List;

import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionTypeResolver;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.socket.WebSocketHttpHeaders;

/** The session classes of one path, one of which is selected for each handshake. */
final class EndpointSelection {

	private static final Log logger = LogFactory.getLog(EndpointSelection.class);

	private final String path;

	private final @Nullable SessionTypeResolver resolver;

	private final List<Endpoint> endpoints = new ArrayList<>();

	/**
	 * Creates the path.
	 * @param resolver chooses among classes with the same sub-protocol; without a
	 * resolver, such classes are not allowed
	 */
	EndpointSelection(String path, @Nullable SessionTypeResolver resolver) {
		this.path = path;
		this.resolver = resolver;
	}

	/**
	 * Adds a class.
	 * @throws InvalidEndpointException if it is indistinguishable from another one
	 */
	void add(Endpoint added) {
		for (Endpoint present : this.endpoints) {
			if (this.resolver == null && present.meets(added)) {
				throw new InvalidEndpointException(added.type(),
						"Its path '" + this.path + "' is also the path of " + present.type().getName(),
						"Give one of the two another path or another of 'subProtocols', or define a bean of type "
								+ "SessionTypeResolver.");
			}
		}
		this.endpoints.add(added);
	}

	/**
	 * Returns the handler of the class that a request selects, or one that rejects it.
	 */
	HttpRequestHandler handler(HttpServletRequest request) {
		ServletServerHttpRequest handshake = new ServletServerHttpRequest(request);
		List<Endpoint> candidates = candidates(new WebSocketHttpHeaders(handshake.getHeaders()));
		Class<?> type = (this.resolver != null && !candidates.isEmpty()) ? this.resolver.resolve(handshake,
				candidates.stream().<Class<? extends ManagedSession>>map(Endpoint::type).toList()) : null;
		if (type != null) {
			return handler(candidates, type);
		}
		if (candidates.size() == 1) {
			return candidates.get(0).handler();
		}
		logger.debug("Rejecting a handshake at '" + this.path + "', as it leaves none or several of "
				+ candidates.stream().map(Endpoint::type).toList());
		return (rejected, response) -> response.sendError(HttpServletResponse.SC_BAD_REQUEST,
				"No session type for this sub-protocol or request");
	}

	private HttpRequestHandler handler(List<Endpoint> candidates, Class<?> type) {
		return candidates.stream()
			.filter((candidate) -> candidate.type() == type)
			.findFirst()
			.map(Endpoint::handler)
			.orElseThrow(() -> new IllegalStateException("SessionTypeResolver has chosen " + type.getName() + " for '"
					+ this.path + "', which is not one of " + candidates.stream().map(Endpoint::type).toList()));
	}

	/**
	 * The client's preference decides; a client that prefers only unknown sub-protocols
	 * gets none.
	 */
	private List<Endpoint> candidates(WebSocketHttpHeaders headers) {
		for (String subProtocol : headers.getSecWebSocketProtocol()) {
			List<Endpoint> found = this.endpoints.stream()
				.filter((endpoint) -> endpoint.subProtocols().contains(subProtocol))
				.toList();
			if (!found.isEmpty()) {
				return found;
			}
		}
		return this.endpoints.stream().filter((endpoint) -> endpoint.subProtocols().isEmpty()).toList();
	}

	/**
	 * A session class at a path.
	 *
	 * @param type the class
	 * @param subProtocols the sub-protocols of its clients; empty for clients that
	 * request none, or none of those available
	 * @param handler performs the handshake
	 */
	record Endpoint(Class<? extends ManagedSession> type, List<String> subProtocols, HttpRequestHandler handler) {

		/** Returns whether a client may match both. */
		private boolean meets(Endpoint other) {
			return this.subProtocols.isEmpty() ? other.subProtocols.isEmpty()
					: this.subProtocols.stream().anyMatch(other.subProtocols::contains);
		}

	}

}
