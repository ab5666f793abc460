package dev.sluice.actuate.metrics;

import dev.sluice.actuate.NamedBatches;
import dev.sluice.autoconfigure.BatchConsumerCustomizer;
import dev.sluice.autoconfigure.batch.SluiceBatchAutoConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the metrics of batches; see {@link BatchMetrics}. Consumers that
 * the application builds itself have only the meters that need no listener.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceBatchAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnSwitch("sluice.enabled")
public final class SluiceBatchMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "sluiceBatchMetricsCustomizer")
	BatchConsumerCustomizer sluiceBatchMetricsCustomizer(ObjectProvider<MeterRegistry> registry) {
		return (name, builder) -> registry.ifUnique((meters) -> builder.listener(new BatchMetrics(meters, name)));
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceBatchMeters")
	MeterBinder sluiceBatchMeters(ListableBeanFactory beans) {
		return (registry) -> NamedBatches.of(beans)
			.forEach((name, consumer) -> BatchMetrics.monitor(registry, name, consumer::snapshot));
	}

}
