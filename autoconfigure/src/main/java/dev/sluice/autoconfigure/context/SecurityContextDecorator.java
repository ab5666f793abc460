package dev.sluice.autoconfigure.context;

import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** Lets the security context of the submitter follow the task. */
final class SecurityContextDecorator implements TaskDecorator {

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		SecurityContext submitters = SecurityContextHolder.getContext();
		if (submitters.getAuthentication() == null) {
			return task;
		}
		return () -> {
			SecurityContext before = SecurityContextHolder.getContext();
			SecurityContextHolder.setContext(submitters);
			try {
				return task.call();
			}
			finally {
				restore(before);
			}
		};
	}

	static void restore(SecurityContext before) {
		if (before.getAuthentication() != null) {
			SecurityContextHolder.setContext(before);
		}
		else {
			SecurityContextHolder.clearContext();
		}
	}

}
