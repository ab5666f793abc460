package dev.sluice.websocket.handler;

import java.io.IOException;
import java.util.List;

import dev.sluice.websocket.container.UpgradeRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.standard.StandardWebSocketUpgradeStrategy;
import org.springframework.web.socket.server.support.AbstractHandshakeHandler;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;

/**
 * Request handler that passes its handler to the container unchanged, behind the guard,
 * on upgraded connections.
 */
public final class OrderedHttpRequestHandler extends WebSocketHttpRequestHandler {

	private final boolean direct;

	public OrderedHttpRequestHandler(WebSocketHandler handler, HandshakeHandler handshakeHandler,
			List<HandshakeInterceptor> interceptors, HandshakeGuard guard) {
		super(handler, handshakeHandler);
		setHandshakeInterceptors(guard.before(interceptors));
		this.direct = handler instanceof OrderedWebSocketHandler && handsOver(handshakeHandler);
	}

	/**
	 * Returns whether the container receives the handler itself, without a wrapper.
	 */
	private static boolean handsOver(HandshakeHandler handshakeHandler) {
		return handshakeHandler instanceof AbstractHandshakeHandler known
				&& known.getRequestUpgradeStrategy().getClass() == StandardWebSocketUpgradeStrategy.class;
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		HandshakeGuard.serve(request, () -> super.handleRequest(UpgradeRequest.of(request, this.direct), response));
	}

	@Override
	protected WebSocketHandler decorate(WebSocketHandler handler) {
		return handler;
	}

}
