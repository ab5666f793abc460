package dev.sluice.websocket;

import java.io.IOException;
import java.util.List;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;

/**
 * Hands its handler to the container as it is, behind the guard, on connections that are
 * upgraded to ours.
 */
final class OrderedHttpRequestHandler extends WebSocketHttpRequestHandler {

	OrderedHttpRequestHandler(WebSocketHandler handler, HandshakeHandler handshakeHandler,
			List<HandshakeInterceptor> interceptors, HandshakeGuard guard) {
		super(handler, handshakeHandler);
		setHandshakeInterceptors(guard.before(interceptors));
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		super.handleRequest(UpgradeRequest.of(request), response);
	}

	@Override
	protected WebSocketHandler decorate(WebSocketHandler handler) {
		return handler;
	}

}
