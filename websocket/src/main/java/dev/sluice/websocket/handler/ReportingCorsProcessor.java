package dev.sluice.websocket.handler;

import java.io.IOException;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import org.apache.commons.logging.LogFactory;

import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;

/**
 * CORS processor that logs the origins which it rejects. It answers SockJS requests
 * before any interceptor of handshakes is called, and Spring's own logs at level DEBUG
 * only.
 */
final class ReportingCorsProcessor extends DefaultCorsProcessor {

	private final BoundedLog log = new BoundedLog(LogFactory.getLog(OriginReport.class), NanoClock.system(),
			"Rejecting SockJS requests from origins that are not allowed; " + OriginReport.REMEDY);

	private ReportingCorsProcessor() {
	}

	/** Sets such a processor for a mapping that has Spring's own. */
	static void setOn(AbstractHandlerMapping mapping) {
		if (mapping.getCorsProcessor().getClass() == DefaultCorsProcessor.class) {
			mapping.setCorsProcessor(new ReportingCorsProcessor());
		}
	}

	@Override
	protected boolean handleInternal(ServerHttpRequest request, ServerHttpResponse response, CorsConfiguration config,
			boolean preFlightRequest) throws IOException {
		boolean allowed = super.handleInternal(request, response, config, preFlightRequest);
		String origin = request.getHeaders().getOrigin();
		if (!allowed && checkOrigin(config, origin) == null) {
			this.log.warn(origin + " at " + request.getURI().getPath());
		}
		return allowed;
	}

}
