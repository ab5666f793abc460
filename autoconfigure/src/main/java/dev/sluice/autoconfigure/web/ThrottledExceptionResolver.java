package dev.sluice.autoconfigure.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers requests that were throttled with a {@link ThrottledProblem}. Comes before the
 * exception handlers of the application, because a handler for all exceptions would
 * respond with an internal error, but defers to a handler for rejections.
 */
class ThrottledExceptionResolver implements HandlerExceptionResolver, Ordered {

	private final ThrottlingManager manager;

	private final SluiceThrottleProperties limits;

	private final ListableBeanFactory beanFactory;

	private final Map<Class<?>, Boolean> handledByApplication = new ConcurrentHashMap<>();

	ThrottledExceptionResolver(ThrottlingManager manager, SluiceThrottleProperties limits,
			ListableBeanFactory beanFactory) {
		this.manager = manager;
		this.limits = limits;
		this.beanFactory = beanFactory;
	}

	/** Before all resolvers of Spring MVC, whose order is 0. */
	@Override
	public int getOrder() {
		return -1;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		ThrottledException throttled = ThrottledProblem.cause(ex);
		if (throttled == null || response.isCommitted()
				|| handler instanceof HandlerMethod method && isHandledByApplication(method.getBeanType())) {
			return null;
		}
		ThrottledProblem problem = ThrottledProblem.of(throttled, this.manager,
				this.limits.status(throttled.resource()));
		response.setStatus(problem.status());
		response.setContentType(ThrottledProblem.MEDIA_TYPE);
		response.setCharacterEncoding("UTF-8");
		problem.headers().forEach(response::setHeader);
		try {
			response.getWriter().write(problem.body());
		}
		catch (IOException failure) {
			throw new UncheckedIOException(failure);
		}
		return new ModelAndView();
	}

	private boolean isHandledByApplication(Class<?> controller) {
		return this.handledByApplication
			.computeIfAbsent(controller, (type) -> handlesRejections(type) || ControllerAdviceBean
				.findAnnotatedBeans(this.beanFactory)
				.stream()
				.anyMatch((advice) -> advice.isApplicableToBeanType(type) && handlesRejections(advice.getBeanType())));
	}

	private static boolean handlesRejections(@Nullable Class<?> type) {
		return ApplicationHandlers.of(type) == ApplicationHandlers.REJECTIONS;
	}

}
