package dev.sluice.websocket.handler;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.sluice.websocket.session.SessionAdmission;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;
import org.springframework.web.socket.sockjs.transport.TransportHandlingSockJsService;

/**
 * Interceptor that rejects handshakes with 503 while no sessions, or no more sessions of
 * this client, are accepted.
 *
 * @param admission decides which sessions are taken
 * @param undecided whether a connection may turn out to replace another one
 */
public record HandshakeGuard(SessionAdmission admission, boolean undecided) implements HandshakeInterceptor {

	/** Attribute of a request whose handshake has not ended. */
	private static final String GUARD = HandshakeGuard.class.getName() + ".GUARD";

	/** Guards the sessions of a SockJS service, which several handlers may share. */
	void guard(SockJsHttpRequestHandler handler) {
		if (handler.getSockJsService() instanceof TransportHandlingSockJsService service
				&& service.getHandshakeInterceptors().stream().noneMatch(HandshakeGuard.class::isInstance)) {
			service.setHandshakeInterceptors(before(service.getHandshakeInterceptors()));
		}
	}

	/** Puts the guard before others, of which those that decide about origins log. */
	List<HandshakeInterceptor> before(List<HandshakeInterceptor> others) {
		return Stream.concat(Stream.of(this), others.stream().map(OriginReport::of)).toList();
	}

	@Override
	public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			Map<String, Object> attributes) {
		if (!this.admission.isWithinRate()) {
			response.getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
		}
		else if (this.admission.beginHandshake(request.getPrincipal(), request.getRemoteAddress(), this.undecided)) {
			if (request instanceof ServletServerHttpRequest servlet) {
				servlet.getServletRequest().setAttribute(GUARD, this);
			}
			return true;
		}
		response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
		return false;
	}

	/**
	 * Serves a request whose handshake, if it is one, has ended afterwards, also when an
	 * {@code Error} of an interceptor has ended it, after which {@link #afterHandshake}
	 * is not called.
	 */
	static void serve(HttpServletRequest request, Service service) throws ServletException, IOException {
		try {
			service.serve();
		}
		finally {
			if (request.getAttribute(GUARD) instanceof HandshakeGuard guard) {
				request.removeAttribute(GUARD);
				guard.admission.endHandshake();
			}
		}
	}

	/** Called after each handshake that was admitted, unless an error ended it. */
	@Override
	public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			@Nullable Exception exception) {
		if (request instanceof ServletServerHttpRequest servlet) {
			if (servlet.getServletRequest().getAttribute(GUARD) == null) {
				return;
			}
			servlet.getServletRequest().removeAttribute(GUARD);
		}
		this.admission.endHandshake();
	}

	/** Service of a request. */
	@FunctionalInterface
	interface Service {

		void serve() throws ServletException, IOException;

	}

}
