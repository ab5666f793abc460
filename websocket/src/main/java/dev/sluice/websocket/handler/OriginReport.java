package dev.sluice.websocket.handler;

import java.util.Map;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.support.OriginHandshakeInterceptor;

/**
 * Interceptor that logs the handshakes which an {@link OriginHandshakeInterceptor}
 * rejects. That one does so at level DEBUG only.
 */
public final class OriginReport implements HandshakeInterceptor {

	static final String REMEDY = "allow them by 'setAllowedOrigins' where the handler is registered";

	private final OriginHandshakeInterceptor origins;

	private final BoundedLog log;

	/**
	 * Creates an interceptor.
	 * @param origins decides which origins are allowed
	 * @param remedy where origins are allowed
	 */
	public OriginReport(OriginHandshakeInterceptor origins, String remedy) {
		this.origins = origins;
		this.log = new BoundedLog(LogFactory.getLog(OriginReport.class), NanoClock.system(),
				"Rejecting handshakes from origins that are not allowed; " + remedy);
	}

	/** Returns an interceptor that logs, if it is one that only decides about origins. */
	static HandshakeInterceptor of(HandshakeInterceptor interceptor) {
		return (interceptor.getClass() == OriginHandshakeInterceptor.class)
				? new OriginReport((OriginHandshakeInterceptor) interceptor, REMEDY) : interceptor;
	}

	@Override
	public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			Map<String, Object> attributes) throws Exception {
		boolean allowed = this.origins.beforeHandshake(request, response, handler, attributes);
		if (!allowed) {
			this.log.warn(request.getHeaders().getOrigin() + " at " + request.getURI().getPath());
		}
		return allowed;
	}

	@Override
	public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			@Nullable Exception exception) {
		this.origins.afterHandshake(request, response, handler, exception);
	}

}
