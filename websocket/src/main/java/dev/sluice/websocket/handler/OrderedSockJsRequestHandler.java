package dev.sluice.websocket.handler;

import java.io.IOException;
import java.util.function.Consumer;

import dev.sluice.websocket.container.FrameSender;
import dev.sluice.websocket.container.UpgradeRequest;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionRegistry;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.sockjs.SockJsService;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;
import org.springframework.web.socket.sockjs.transport.TransportType;

/**
 * Request handler for SockJS on upgraded connections. It notifies sessions over HTTP of
 * the requests that fetch their messages.
 */
final class OrderedSockJsRequestHandler extends SockJsHttpRequestHandler {

	/** A server's id, a session's id and a transport. */
	private static final int SEGMENTS = 3;

	private final SessionRegistry sessions;

	OrderedSockJsRequestHandler(SockJsService service, WebSocketHandler handler, SessionRegistry sessions) {
		super(service, handler);
		this.sessions = sessions;
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		String sessionId = receivingSession(request);
		if (sessionId == null) {
			HandshakeGuard.serve(request, () -> super.handleRequest(UpgradeRequest.of(request, false), response));
			return;
		}
		tell(sessionId, FrameSender::requestComes);
		try {
			HandshakeGuard.serve(request, () -> super.handleRequest(request, response));
		}
		finally {
			tell(sessionId, FrameSender::requestCame);
		}
	}

	/** The session does not exist before its first request and after its end. */
	private void tell(String sessionId, Consumer<FrameSender> event) {
		OrderedWebSocketSession session = this.sessions.findSockJs(sessionId);
		if (session != null) {
			event.accept(session.outbound().sender());
		}
	}

	private static @Nullable String receivingSession(HttpServletRequest request) {
		String path = (String) request.getAttribute(HandlerMapping.PATH_WITHIN_HANDLER_MAPPING_ATTRIBUTE);
		String[] segments = StringUtils.tokenizeToStringArray(path, "/");
		return (segments.length == SEGMENTS && takesMessages(TransportType.fromValue(segments[2]))) ? segments[1]
				: null;
	}

	private static boolean takesMessages(@Nullable TransportType transport) {
		return transport != null && transport != TransportType.WEBSOCKET && transport != TransportType.XHR_SEND;
	}

}
