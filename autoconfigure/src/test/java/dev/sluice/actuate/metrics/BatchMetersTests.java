package dev.sluice.actuate.metrics;

import java.time.Duration;
import java.util.List;

import dev.sluice.annotation.BatchListener;
import dev.sluice.autoconfigure.batch.SluiceBatchAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class BatchMetersTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class, SluiceBatchAutoConfiguration.class,
					SluiceMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
					SimpleMetricsExportAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class));

	@Test
	void batchesHaveAllMetersAndConsumersOfTheApplicationThoseThatAreRead() {
		this.contextRunner.withUserConfiguration(Listener.class, Producer.class)
			.withBean("words", BatchConsumer.class, () -> BatchConsumer.<String>builder().build())
			.withBean("journal", BatchConsumer.class, () -> BatchConsumer.<String>builder().build())
			.withBean("invoices", BatchConsumer.class, () -> BatchConsumer.<String>builder().build())
			.withPropertyValues("sluice.batches.invoices.batch-size=2")
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				BatchConsumer<Integer> invoices = context.getBean(Producer.class).invoices();
				invoices.push(1, 0);
				assertThat(registry.get("sluice.batch.waiting").tag("name", "invoices").gauge().value()).isEqualTo(1);
				assertThat(invoices.push(2, 0)).succeedsWithin(Duration.ofSeconds(30));
				assertThat(registry.get("sluice.batch.pump").tag("name", "invoices").timers())
					.anyMatch((timer) -> timer.count() == 1);
				assertThat(registry.get("sluice.batch.size").tag("name", "invoices").summary().max()).isEqualTo(2);
				assertThat(registry.get("sluice.batch.items")
					.tags("name", "invoices", "outcome", "completed")
					.functionCounter()
					.count()).isEqualTo(2);
				assertThat(registry.get("sluice.batch.waiting").tag("name", "words").gauges()).hasSize(1);
				for (String name : List.of("application.invoices", "application.journal")) {
					assertThat(registry.get("sluice.batch.waiting").tag("name", name).gauges()).hasSize(1);
				}
			});
	}

	@Test
	void withoutMetersBatchesWork() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
					SluiceBatchAutoConfiguration.class, SluiceMetricsAutoConfiguration.class))
			.withUserConfiguration(Listener.class)
			.run((context) -> assertThat(context).hasSingleBean(BatchConsumer.class)
				.doesNotHaveBean(SluiceMetricsAutoConfiguration.class));
	}

	static class Listener {

		@BatchListener("invoices")
		void take(List<Integer> invoices) {
		}

	}

	record Producer(@Qualifier("invoices") BatchConsumer<Integer> invoices) {

	}

}
