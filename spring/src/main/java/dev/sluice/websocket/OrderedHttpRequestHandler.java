package dev.sluice.websocket;

import java.util.List;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;

/** Hands its handler to the container as it is, behind the guard. */
final class OrderedHttpRequestHandler extends WebSocketHttpRequestHandler {

	OrderedHttpRequestHandler(WebSocketHandler handler, HandshakeHandler handshakeHandler,
			List<HandshakeInterceptor> interceptors, HandshakeGuard guard) {
		super(handler, handshakeHandler);
		setHandshakeInterceptors(guard.before(interceptors));
	}

	@Override
	protected WebSocketHandler decorate(WebSocketHandler handler) {
		return handler;
	}

}
