package dev.sluice.actuate.metrics;

import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Meters that read one snapshot. The gauges keep the source of the snapshot as long as
 * the registry exists; a counter alone would not.
 *
 * @param registry has the meters
 * @param tags tags of all meters
 * @param source takes the snapshot
 */
record SnapshotMeters<S extends @Nullable Object>(MeterRegistry registry, Tags tags, Supplier<S> source) {

	void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<S> value, String... more) {
		Gauge.builder(name, () -> value.applyAsDouble(this.source.get()))
			.description(description)
			.baseUnit(unit)
			.tags(this.tags.and(more))
			.register(this.registry);
	}

	void counter(String name, String description, String unit, ToDoubleFunction<S> value, String... more) {
		FunctionCounter.builder(name, this.source, (source) -> value.applyAsDouble(source.get()))
			.description(description)
			.baseUnit(unit)
			.tags(this.tags.and(more))
			.register(this.registry);
	}

}
