package dev.sluice.websocket;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;

/** Hands its handler to the container as it is, while sessions are taken. */
final class OrderedHttpRequestHandler extends WebSocketHttpRequestHandler {

	private final WebSocketDispatcher dispatcher;

	OrderedHttpRequestHandler(WebSocketHandler handler, HandshakeHandler handshakeHandler,
			WebSocketDispatcher dispatcher) {
		super(handler, handshakeHandler);
		this.dispatcher = dispatcher;
	}

	@Override
	protected WebSocketHandler decorate(WebSocketHandler handler) {
		return handler;
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		if (this.dispatcher.isAccepting()) {
			super.handleRequest(request, response);
		}
		else {
			response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
		}
	}

}
