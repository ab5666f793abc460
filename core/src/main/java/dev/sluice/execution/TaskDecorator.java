package dev.sluice.execution;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * Callback that wraps each task when it is submitted, typically to propagate a trace or a
 * logging context from the submitting thread to the thread that runs the task.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TaskDecorator {

	/**
	 * Wraps one task. Called immediately by the submitting thread. An exception is thrown
	 * to the submitter, as is one for a decorator that returns {@code null}, and the task
	 * is not queued.
	 * @param <T> the type of the result
	 * @param task the task; an asynchronous task returns its stage
	 * @return the task to call instead, once, when its turn comes, or the same task
	 */
	<T extends @Nullable Object> Callable<T> decorate(Callable<T> task);

}
