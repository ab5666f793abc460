package dev.sluice.actuate.metrics;

import java.time.Duration;

import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SluiceMetricsAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, MetricsAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceMetricsAutoConfiguration.class))
		.withPropertyValues("sluice.throttles.commands.limit=1", "sluice.throttles.commands.period=1h",
				"management.metrics.tags.region=north");

	private final WebApplicationContextRunner withRegistry = this.contextRunner.withBean(MeterRegistry.class,
			SimpleMeterRegistry::new);

	@Test
	void limitsQueuesAndSessionsAreMetered() {
		this.withRegistry.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			context.getBean(ThrottlingManager.class).get("commands").tryAcquire();
			context.getBean("sluiceOutbound", SequentialLeveledTaskExecutor.class)
				.execute("session-1", Level.HIGH, () -> {
				});
			assertThat(registry.get("sluice.throttle.calls")
				.tags("resource", "commands", "outcome", "admitted", "region", "north")
				.counter()
				.count()).isEqualTo(1);
			assertThat(registry.get("sluice.throttle.keys").gauge().value()).isEqualTo(1);
			assertThat(registry.get("sluice.execution.wait").tags("name", "outbound", "level", "high").timer().count())
				.isEqualTo(1);
			assertThat(registry.get("sluice.execution.queues").tags("name", "outbound").gauge().value()).isEqualTo(1);
			assertThat(registry.get("sluice.execution.queues").tags("name", "inbound").gauge().value()).isZero();
			assertThat(registry.get("sluice.websocket.sessions").gauge().value()).isZero();
		});
	}

	@Test
	void anExecutorOfTheApplicationIsMeteredByItsBeanName() {
		this.withRegistry
			.withBean("orders", SequentialLeveledTaskExecutor.class,
					() -> SequentialLeveledTaskExecutor.builder(Runnable::run).build())
			.run((context) -> assertThat(context.getBean(MeterRegistry.class)
				.get("sluice.execution.tasks")
				.tags("name", "orders", "outcome", "completed")
				.functionCounter()
				.count()).isZero());
	}

	@Test
	void aListenerOfTheApplicationIsToldToo() {
		StringBuilder told = new StringBuilder();
		this.withRegistry.withBean(ThrottleListener.class, () -> new ThrottleListener() {

			@Override
			public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
				told.append(resource).append(' ').append(reason);
			}

		}).run((context) -> {
			ThrottlingManager limits = context.getBean(ThrottlingManager.class);
			limits.get("commands").tryAcquire();
			limits.get("commands").tryAcquire();
			assertThat(told).hasToString("commands LIMIT");
			assertThat(context.getBean(MeterRegistry.class)
				.get("sluice.throttle.calls")
				.tag("outcome", "limit")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void aListenerThatThrowsSilencesNoOtherAndIsCounted() {
		this.withRegistry.withBean("failing", FailingListener.class).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
			ThrottlingManager limits = context.getBean(ThrottlingManager.class);
			limits.get("commands").tryAcquire();
			limits.get("commands").tryAcquire();

			assertThat(registry.get("sluice.throttle.calls").tag("outcome", "admitted").counter().count()).isEqualTo(1);
			assertThat(registry.get("sluice.throttle.calls").tag("outcome", "limit").counter().count()).isEqualTo(1);
			assertThat(registry.get("sluice.throttle.listener.failures").functionCounter().count()).isEqualTo(2);
			assertThat(limits.listenerFailures()).isEqualTo(2);
		});
	}

	@Test
	void callsThatFoundTooManyWorkersBlockedAreCounted() {
		this.withRegistry.withBean(BlockingWaits.class, () -> BlockingWaits.atMost(0, () -> true)).run((context) -> {
			context.getBeansOfType(MeterBinder.class)
				.values()
				.forEach((binder) -> binder.bindTo(context.getBean(MeterRegistry.class)));
			Throttle order = context.getBean(ThrottlingManager.class).addOrUpdate("order", Limit.mutex());
			order.tryAcquire();
			assertThatExceptionOfType(ThrottledException.class)
				.isThrownBy(() -> context.getBean(ThrottlingTemplate.class)
					.call(() -> "", AcquireRequest.of("order").maxWait(Duration.ofMinutes(1))));
			assertThat(context.getBean(MeterRegistry.class)
				.get("sluice.throttle.workers.exhausted")
				.functionCounter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void theClusterIsMeteredOnceSomebodyUsesIt() {
		this.withRegistry.withConfiguration(AutoConfigurations.of(SluiceClusterAutoConfiguration.class))
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.find("sluice.cluster.nodes").gauge()).isNull();
				context.getBean(SessionCluster.class);
				assertThat(registry.get("sluice.cluster.nodes").tag("region", "north").gauge().value()).isEqualTo(1);
			});
	}

	@Test
	void withoutARegistryThereAreNone() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(ThrottleMetrics.class)
			.hasSingleBean(ThrottlingManager.class));
	}

	@Test
	void withoutMicrometerThereAreNone() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ThrottleMetrics.class));
	}

	/** Throws, and is called before all others. */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class FailingListener implements ThrottleListener {

		@Override
		public void admitted(String resource, String key, int permits, long waitNanos) {
			throw new IllegalStateException("admitted");
		}

		@Override
		public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
			throw new AssertionError("rejected");
		}

	}

}
