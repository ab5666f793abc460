package dev.sluice.autoconfigure.context;

import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import org.jspecify.annotations.Nullable;

import org.springframework.security.concurrent.DelegatingSecurityContextCallable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** Propagates the security context of the submitter to the task. */
final class SecurityContextDecorator implements TaskDecorator {

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		SecurityContext submitters = SecurityContextHolder.getContext();
		return (submitters.getAuthentication() != null) ? DelegatingSecurityContextCallable.create(task, submitters)
				: task;
	}

}
