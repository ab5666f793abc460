package dev.sluice.autoconfigure.context;

import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;

/**
 * Propagates all context that the libraries of the application have registered with
 * Micrometer's context propagation to the task, such as the observation with its trace,
 * or Spring Security's context.
 */
final class ContextDecorator implements TaskDecorator {

	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		return ContextRegistry.getInstance().getThreadLocalAccessors().isEmpty() ? task
				: this.snapshots.captureAll().wrap(task);
	}

}
