package dev.sluice.actuate.health;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.autoconfigure.fixture.ClusterSnapshots;
import dev.sluice.bus.BusState;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.store.StoreSnapshot;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class SluiceHealthIndicatorTests {

	private final AtomicLong now = new AtomicLong();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run)
		.clock(this.now::get)
		.recordWaits(true)
		.build();

	private final ApplicationContextRunner withoutQueues = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceHealthAutoConfiguration.class));

	private final ApplicationContextRunner contextRunner = this.withoutQueues.withBean("sluiceInbound",
			SequentialLeveledTaskExecutor.class, () -> this.inbound);

	@Test
	void upWithDetailsHoweverLongAPausedQueueWaits() {
		this.inbound.queue("session-1").pause();
		this.inbound.execute("session-1", Level.NORMAL, () -> {
		});
		this.now.addAndGet(Duration.ofHours(1).toNanos());
		this.contextRunner.run((context) -> assertThat(health(context.getBean(SluiceHealthIndicator.class)))
			.isEqualTo("UP {maxWait=PT30S, inbound={queues=1, waiting=1, oldestWait=3600.0, workerWait=0.0}}"));
	}

	@Test
	void upHoweverLongOneClientWaitsForATaskOfItsOwn() {
		CompletableFuture<Void> stage = new CompletableFuture<>();
		this.inbound.submitStage("session-1", Level.NORMAL, () -> stage);
		this.inbound.execute("session-1", Level.NORMAL, () -> {
		});
		this.now.addAndGet(Duration.ofHours(1).toNanos());
		this.contextRunner.run((context) -> {
			assertThat(health(context.getBean(SluiceHealthIndicator.class)))
				.isEqualTo("UP {maxWait=PT30S, inbound={queues=1, waiting=1, oldestWait=3600.0, workerWait=0.0}}");
			stage.complete(null);
		});
	}

	@Test
	void downWhileQueuesThatAreReadyGetNoWorker() {
		Queue<Runnable> busyPool = new ArrayDeque<>();
		SequentialLeveledTaskExecutor starved = SequentialLeveledTaskExecutor.builder(busyPool::add)
			.clock(this.now::get)
			.build();
		SluiceHealthIndicator indicator = new SluiceHealthIndicator(Map.of("inbound", starved), Duration.ofSeconds(30),
				List.of());
		this.now.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);

		starved.execute("session-1", Level.NORMAL, () -> {
		});
		this.now.addAndGet(Duration.ofSeconds(30).toNanos());
		assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
		this.now.addAndGet(1);
		assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);

		busyPool.remove().run();
		assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void theTimeThatQueuesMayWaitForAWorkerIsAProperty() {
		this.contextRunner.withPropertyValues("management.health.sluice.max-wait=31s")
			.run((context) -> assertThat(health(context.getBean(SluiceHealthIndicator.class)))
				.startsWith("UP {maxWait=PT31S"));
	}

	@Test
	void downWhileAStoreIsAwayThatLimitsCannotDoWithout() {
		assertThat(health(store(false, "order"))).isEqualTo("UP {maxWait=PT30S, store={unavailable=false, nodes=3}}");
		assertThat(health(store(true, "order")))
			.isEqualTo("DOWN {maxWait=PT30S, store={unavailable=true, nodes=3, rejecting=[order]}}");
		assertThat(health(store(true))).isEqualTo("UP {maxWait=PT30S, store={unavailable=true, nodes=3}}");
	}

	private static SluiceHealthIndicator store(boolean unavailable, String... closed) {
		StoreSnapshot snapshot = new StoreSnapshot(unavailable, 3, List.of(closed), 0, Duration.ZERO, 0, Map.of(),
				Map.of());
		return new SluiceHealthIndicator(Map.of(), Duration.ofSeconds(30), List.of(new StoreHealth(() -> snapshot)));
	}

	@Test
	void downWhileTheNodeDoesNotHearTheOthers() {
		assertThat(health(cluster(BusState.UP))).isEqualTo("UP {maxWait=PT30S, cluster={state=up, nodes=2}}");
		assertThat(health(cluster(BusState.SILENT))).isEqualTo("DOWN {maxWait=PT30S, cluster={state=silent, nodes=2}}");
		assertThat(health(cluster(BusState.UNAVAILABLE)))
			.isEqualTo("DOWN {maxWait=PT30S, cluster={state=unavailable, nodes=2}}");
	}

	private static SluiceHealthIndicator cluster(BusState state) {
		SessionCluster cluster = mock(SessionCluster.class);
		given(cluster.snapshot(0)).willReturn(ClusterSnapshots.of(state));
		return new SluiceHealthIndicator(Map.of(), Duration.ofSeconds(30), List.of(new ClusterHealth(() -> cluster)));
	}

	@Test
	void tellsNothingOfAClusterThatNobodyUses() {
		SessionCluster cluster = mock(SessionCluster.class);
		given(cluster.snapshot(0)).willReturn(ClusterSnapshots.of(BusState.UP));
		this.contextRunner
			.withBean("cluster", SessionCluster.class, () -> cluster, (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				SluiceHealthIndicator indicator = context.getBean(SluiceHealthIndicator.class);
				assertThat(indicator.health().getDetails()).doesNotContainKey("cluster");
				assertThat(context.getBeanFactory().containsSingleton("cluster")).isFalse();
				context.getBean(SessionCluster.class);
				assertThat(indicator.health().getDetails()).containsKey("cluster");
			});
	}

	@Test
	void noPartOfLivenessOrReadinessUnlessTheApplicationSaysSo() {
		ApplicationContextRunner withProbes = this.contextRunner
			.withConfiguration(AutoConfigurations.of(ApplicationAvailabilityAutoConfiguration.class,
					EndpointAutoConfiguration.class, HealthContributorAutoConfiguration.class,
					HealthContributorRegistryAutoConfiguration.class, HealthEndpointAutoConfiguration.class,
					AvailabilityProbesAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=health",
					"management.endpoint.health.group.ready.include=sluice");
		withProbes.run((context) -> {
			HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
			assertThat(groups.getPrimary().isMember("sluice")).isTrue();
			assertThat(groups.get("ready").isMember("sluice")).isTrue();
			assertThat(groups.get("liveness").isMember("sluice")).isFalse();
			assertThat(groups.get("readiness").isMember("sluice")).isFalse();
		});
	}

	@Test
	void whenDisabledThenThereIsNone() {
		this.contextRunner.withPropertyValues("management.health.sluice.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(SluiceHealthIndicator.class));
	}

	@Test
	void withoutQueuesThereIsNone() {
		this.withoutQueues.run((context) -> assertThat(context).doesNotHaveBean(SluiceHealthIndicator.class));
	}

	@Test
	void withoutHealthOnTheClassPathThereIsNone() {
		new ApplicationContextRunner().withUserConfiguration(Imported.class)
			.withBean("sluiceInbound", SequentialLeveledTaskExecutor.class, () -> this.inbound)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("sluiceHealthIndicator"));
	}

	private static String health(SluiceHealthIndicator indicator) {
		Health health = indicator.health();
		return health.getStatus() + " " + health.getDetails();
	}

	/** By name, as an application does it; nothing else leaves out what is not there. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(SluiceHealthAutoConfiguration.class)
	static class Imported {

	}

}
