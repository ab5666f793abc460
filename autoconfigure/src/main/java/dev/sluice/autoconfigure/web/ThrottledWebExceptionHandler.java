package dev.sluice.autoconfigure.web;

import java.nio.charset.StandardCharsets;

import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Answers requests to reactive applications that were throttled with a
 * {@link ThrottledProblem}. The exception handlers of controllers and of advices come
 * before it: see {@link ThrottledExceptionAdvice}.
 */
class ThrottledWebExceptionHandler implements WebExceptionHandler, Ordered {

	private final ThrottlingManager manager;

	private final SluiceThrottleProperties limits;

	ThrottledWebExceptionHandler(ThrottlingManager manager, SluiceThrottleProperties limits) {
		this.manager = manager;
		this.limits = limits;
	}

	/** Before Spring Boot's handler for all remaining exceptions, whose order is -1. */
	@Override
	public int getOrder() {
		return -2;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable ex) {
		ServerHttpResponse response = exchange.getResponse();
		ThrottledException throttled = ThrottledProblem.cause(ex);
		if (throttled == null || response.isCommitted()) {
			return Mono.error(ex);
		}
		ThrottledProblem problem = ThrottledProblem.of(throttled, this.manager,
				this.limits.status(throttled.resource()));
		response.setStatusCode(HttpStatusCode.valueOf(problem.status()));
		response.getHeaders().setContentType(MediaType.parseMediaType(ThrottledProblem.MEDIA_TYPE));
		problem.headers().forEach(response.getHeaders()::set);
		return response.writeWith(Mono
			.fromSupplier(() -> response.bufferFactory().wrap(problem.body().getBytes(StandardCharsets.UTF_8))));
	}

}
