package dev.sluice.autoconfigure.web;

import java.util.concurrent.RejectedExecutionException;

import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** Exception handlers of the application, by how they would handle a rejection. */
enum ApplicationHandlers {

	/** None would get it. */
	OTHERS,

	/**
	 * A handler for a supertype of all rejections, which would respond with an internal
	 * error.
	 */
	ALL_EXCEPTIONS,

	/** One is meant for rejections. */
	REJECTIONS;

	/**
	 * Returns how the handlers of a class, which is a controller or an advice, would
	 * handle a rejection.
	 */
	static ApplicationHandlers of(@Nullable Class<?> type) {
		ExceptionHandlerMappingInfo handler = (type != null) ? new ExceptionHandlerMethodResolver(type)
			.resolveExceptionMappingByExceptionType(ThrottledException.class, MediaType.ALL) : null;
		if (handler == null) {
			return OTHERS;
		}
		return handler.getExceptionTypes().stream().anyMatch(RejectedExecutionException.class::isAssignableFrom)
				? REJECTIONS : ALL_EXCEPTIONS;
	}

}
