package dev.sluice.autoconfigure.context;

import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import org.jspecify.annotations.Nullable;

import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Propagates the request of the submitter, and its locale, to the task, as Spring MVC
 * does for a {@link Callable}. The request should not have ended when the task is called.
 */
final class RequestContextDecorator implements TaskDecorator {

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes submitters)) {
			return task;
		}
		LocaleContext locale = LocaleContextHolder.getLocaleContext();
		return () -> {
			RequestAttributes attributesBefore = RequestContextHolder.getRequestAttributes();
			LocaleContext localeBefore = LocaleContextHolder.getLocaleContext();
			// The submitter's own context may only be used until its thread has returned
			RequestContextHolder
				.setRequestAttributes(new ServletRequestAttributes(submitters.getRequest(), submitters.getResponse()));
			LocaleContextHolder.setLocaleContext(locale);
			try {
				return task.call();
			}
			finally {
				RequestContextHolder.setRequestAttributes(attributesBefore);
				LocaleContextHolder.setLocaleContext(localeBefore);
			}
		};
	}

}
