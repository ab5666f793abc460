package com.example.existing;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import jakarta.websocket.Session;

import org.springframework.util.ClassUtils;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.handler.WebSocketSessionDecorator;

/**
 * Properties that handlers read from a session and from the container's session within.
 */
final class SessionFacts {

	private static final boolean JETTY = ClassUtils.isPresent("org.eclipse.jetty.websocket.api.Session", null);

	private final Map<String, String> facts = new TreeMap<>();

	private SessionFacts() {
	}

	/** Leaves something in the session that is to be found again. */
	static void mark(WebSocketSession session) {
		session.getAttributes().put("opened", "yes");
		if (!JETTY) {
			Standard.unwrap(session).getUserProperties().put("opened", "yes");
		}
	}

	/** Reads the properties available to any handler. */
	static String of(WebSocketSession session) {
		SessionFacts facts = new SessionFacts();
		facts.addKept(session);
		facts.addAddresses(session);
		facts.add("binary limit", session::getBinaryMessageSizeLimit);
		facts.add("text limit", session::getTextMessageSizeLimit);
		if (JETTY) {
			Jetty.addLive(facts, session);
		}
		else {
			Standard.addLive(facts, session);
		}
		return facts.toString();
	}

	/**
	 * Reads the properties that handlers need for cleaning up; limits have no effect by
	 * then. Jetty discards the addresses when the connection ends, which may be before or
	 * after handlers are notified.
	 */
	static String ofClosed(WebSocketSession session) {
		SessionFacts facts = new SessionFacts();
		facts.addKept(session);
		if (!JETTY) {
			facts.addAddresses(session);
		}
		return facts.toString();
	}

	private void addKept(WebSocketSession session) {
		add("attributes", () -> new TreeMap<>(session.getAttributes()));
		add("extensions", session::getExtensions);
		add("header", () -> session.getHandshakeHeaders().get("X-Test"));
		add("open", session::isOpen);
		add("principal", session::getPrincipal);
		add("protocol", session::getAcceptedProtocol);
		add("unwrapped", () -> WebSocketSessionDecorator.unwrap(session).getClass().getSimpleName());
		add("uri", session::getUri);
		if (JETTY) {
			Jetty.addKept(this, session);
		}
		else {
			Standard.addKept(this, session);
		}
	}

	private void addAddresses(WebSocketSession session) {
		add("local address", () -> Objects.requireNonNull(session.getLocalAddress()).getHostString());
		add("remote address", () -> Objects.requireNonNull(session.getRemoteAddress()).getHostString());
	}

	private void add(String name, Callable<?> fact) {
		try {
			this.facts.put(name, String.valueOf(fact.call()));
		}
		catch (Exception ex) {
			this.facts.put(name, ex.getClass().getSimpleName());
		}
	}

	@Override
	public String toString() {
		StringBuilder lines = new StringBuilder();
		this.facts.forEach((name, fact) -> lines.append(name).append(" = ").append(fact).append('\n'));
		return lines.toString();
	}

	/** The session of Jakarta WebSocket, which Tomcat has. */
	private static final class Standard {

		static void addKept(SessionFacts facts, WebSocketSession session) {
			facts.add("native id", () -> unwrap(session).getId().isEmpty());
			facts.add("native parameters", () -> new TreeMap<>(unwrap(session).getRequestParameterMap()));
			facts.add("native path parameters", () -> unwrap(session).getPathParameters());
			facts.add("native principal", () -> unwrap(session).getUserPrincipal());
			facts.add("native protocol", () -> unwrap(session).getNegotiatedSubprotocol());
			facts.add("native query", () -> unwrap(session).getQueryString());
			facts.add("native secure", () -> unwrap(session).isSecure());
			facts.add("native uri", () -> unwrap(session).getRequestURI().getPath());
			facts.add("native user property", () -> unwrap(session).getUserProperties().get("opened"));
			facts.add("native version", () -> unwrap(session).getProtocolVersion());
		}

		static void addLive(SessionFacts facts, WebSocketSession session) {
			facts.add("native idle time-out", () -> unwrap(session).getMaxIdleTimeout());
			facts.add("native open", () -> unwrap(session).isOpen());
			facts.add("native text limit", () -> unwrap(session).getMaxTextMessageBufferSize());
		}

		static Session unwrap(WebSocketSession session) {
			return Objects.requireNonNull(((NativeWebSocketSession) session).getNativeSession(Session.class));
		}

	}

	/** The session of Jetty. */
	private static final class Jetty {

		static void addKept(SessionFacts facts, WebSocketSession session) {
			facts.add("native parameters", () -> new TreeMap<>(unwrap(session).getUpgradeRequest().getParameterMap()));
			facts.add("native principal", () -> unwrap(session).getUpgradeRequest().getUserPrincipal());
			facts.add("native protocol", () -> unwrap(session).getUpgradeResponse().getAcceptedSubProtocol());
			facts.add("native query", () -> unwrap(session).getUpgradeRequest().getQueryString());
			facts.add("native secure", () -> unwrap(session).isSecure());
			facts.add("native uri", () -> unwrap(session).getUpgradeRequest().getRequestURI().getPath());
			facts.add("native version", () -> unwrap(session).getProtocolVersion());
		}

		static void addLive(SessionFacts facts, WebSocketSession session) {
			facts.add("native idle time-out", () -> unwrap(session).getIdleTimeout());
			facts.add("native open", () -> unwrap(session).isOpen());
			facts.add("native text limit", () -> unwrap(session).getMaxTextMessageSize());
		}

		private static org.eclipse.jetty.websocket.api.Session unwrap(WebSocketSession session) {
			return Objects.requireNonNull(
					((NativeWebSocketSession) session).getNativeSession(org.eclipse.jetty.websocket.api.Session.class));
		}

	}

}
