package dev.sluice.actuate.metrics;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.RetryPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BatchMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final BatchMetrics metrics = new BatchMetrics(this.registry, "orders");

	@Test
	void metersFollowTheConsumer() {
		BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
			.slots(2)
			.batchSize(2)
			.maxWaiting(3)
			.pushInterval(Duration.ofDays(1))
			.executor(Runnable::run)
			.retry(RetryPolicy.exponential(1, Duration.ZERO, Duration.ZERO))
			.listener(this.metrics)
			.build();
		this.metrics.monitor(consumer::snapshot);
		for (int i = 0; i < 4; i++) {
			consumer.push(i, 0);
		}
		assertThat(gauge("sluice.batch.waiting")).isEqualTo(3);
		assertThat(items("rejected")).isEqualTo(1);
		CompletableFuture<Void> stage = new CompletableFuture<>();
		consumer.start((items, slot) -> (items.get(0) == 0) ? stage : CompletableFuture.failedFuture(new Exception()));
		assertThat(gauge("sluice.batch.in.flight")).isEqualTo(1);
		stage.complete(null);
		CompletableFuture<?> completed = consumer.complete(true);
		await().until(completed::isDone);
		assertThat(items("completed")).isEqualTo(2);
		assertThat(items("failed")).isEqualTo(1);
		assertThat(pumped("completed")).isEqualTo(1);
		assertThat(pumped("retried")).isEqualTo(1);
		assertThat(pumped("failed")).isEqualTo(1);
		assertThat(this.registry.get("sluice.batch.size").summary().max()).isEqualTo(2);
		assertThat(this.registry.get("sluice.batch.pump")
			.tag("outcome", "completed")
			.timer()
			.totalTime(TimeUnit.NANOSECONDS)).isPositive();
	}

	private double gauge(String name) {
		return this.registry.get(name).tag("name", "orders").gauge().value();
	}

	private double items(String outcome) {
		return this.registry.get("sluice.batch.items").tag("outcome", outcome).functionCounter().count();
	}

	private long pumped(String outcome) {
		return this.registry.get("sluice.batch.pump").tag("outcome", outcome).timer().count();
	}

}
