package dev.sluice.execution;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * Callback that wraps each task when it is submitted, most often to let a trace or a
 * logging context of the submitting thread follow the task to the thread that runs it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TaskDecorator {

	/**
	 * Changes one task. Called by the thread that submits it, at once; what it throws
	 * reaches the submitter, and the task is not taken.
	 * @param <T> the type of the result
	 * @param task the task; that of a stage returns the stage
	 * @return what to call instead, once and when the task's turn comes, or the same task
	 */
	<T extends @Nullable Object> Callable<T> decorate(Callable<T> task);

}
