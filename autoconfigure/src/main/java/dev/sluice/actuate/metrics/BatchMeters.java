package dev.sluice.actuate.metrics;

import dev.sluice.actuate.NamedBatches;
import dev.sluice.autoconfigure.BatchConsumerCustomizer;
import dev.sluice.batch.BatchConsumer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Adds the {@link BatchMetrics} of all consumers: the listener to those that are being
 * built, and to all of them what is read from snapshots.
 *
 * @param registry has the meters of the listeners
 * @param beans has the consumers
 */
record BatchMeters(ObjectProvider<MeterRegistry> registry,
		ListableBeanFactory beans) implements BatchConsumerCustomizer, MeterBinder {

	@Override
	public void customize(String name, BatchConsumer.Builder<?> builder) {
		this.registry.ifUnique((meters) -> builder.listener(new BatchMetrics(meters, name)));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		NamedBatches.of(this.beans)
			.forEach((name, consumer) -> BatchMetrics.monitor(registry, name, consumer::snapshot));
	}

}
