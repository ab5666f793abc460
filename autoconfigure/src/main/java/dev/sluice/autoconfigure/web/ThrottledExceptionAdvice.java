package dev.sluice.autoconfigure.web;

import dev.sluice.throttle.ThrottledException;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * Handles rejections before an advice of the application for all exceptions, which would
 * respond with an internal error.
 */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ThrottledExceptionAdvice {

	private final ThrottledWebExceptionHandler handler;

	ThrottledExceptionAdvice(ThrottledWebExceptionHandler handler) {
		this.handler = handler;
	}

	@ExceptionHandler
	Mono<Void> rejected(ThrottledException ex, ServerWebExchange exchange) {
		return this.handler.handle(exchange, ex);
	}

}
