package dev.sluice.actuate.metrics;

import java.util.function.Supplier;

import dev.sluice.actuate.NamedExecutors;
import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Adds the {@link ExecutionMetrics} of all executors: the listener to those that are
 * being built, and to all of them what is read from snapshots.
 *
 * @param registry supplies the meters of the listeners
 * @param beans has the executors
 */
record ExecutionMeters(Supplier<MeterRegistry> registry,
		ListableBeanFactory beans) implements ExecutorCustomizer, MeterBinder {

	@Override
	public void customize(String name, SequentialLeveledTaskExecutor.Builder builder) {
		builder.listener(new ExecutionMetrics(this.registry.get(), name));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		NamedExecutors.of(this.beans)
			.forEach((name, executor) -> ExecutionMetrics.monitor(registry, name, () -> executor.snapshot(0)));
	}

}
