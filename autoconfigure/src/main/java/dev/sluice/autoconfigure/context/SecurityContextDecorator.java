package dev.sluice.autoconfigure.context;

import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import org.jspecify.annotations.Nullable;

import org.springframework.security.concurrent.DelegatingSecurityContextCallable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** Lets the security context of the submitter follow the task. */
final class SecurityContextDecorator implements TaskDecorator {

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		SecurityContext submitters = SecurityContextHolder.getContext();
		return (submitters.getAuthentication() != null) ? DelegatingSecurityContextCallable.create(task, submitters)
				: task;
	}

}
