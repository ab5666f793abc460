package dev.sluice.autoconfigure.throttle;

import java.util.List;
import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import org.jspecify.annotations.Nullable;

/**
 * Several decorators, of which the first is nearest to the task.
 *
 * @param decorators the decorators in their order
 */
public record ComposedDecorator(List<TaskDecorator> decorators) implements TaskDecorator {

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		Callable<T> decorated = task;
		for (TaskDecorator decorator : this.decorators) {
			decorated = decorator.decorate(decorated);
		}
		return decorated;
	}

}
