package dev.sluice.actuate.endpoint;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.sluice.actuate.dashboard.SluiceDashboardAutoConfiguration;
import dev.sluice.actuate.metrics.SluiceMetricsAutoConfiguration;
import dev.sluice.autoconfigure.fixture.ClusterSnapshots;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.bus.BusState;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class ThrottlingEndpointTests {

	private static final long START = Duration.ofDays(20_000).toNanos();

	private final AtomicLong now = new AtomicLong(START);

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run)
		.clock(this.now::get)
		.recordWaits(true)
		.build();

	private final ThrottlingManager limits = ThrottlingManager.builder().clock(this.now::get).build();

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
						WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
						EndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
						WebEndpointAutoConfiguration.class, ManagementContextAutoConfiguration.class,
						SluiceThrottlingAutoConfiguration.class, SluiceEndpointAutoConfiguration.class))
		.withBean("sluiceInbound", SequentialLeveledTaskExecutor.class, () -> this.inbound)
		.withBean(ThrottlingManager.class, () -> this.limits)
		.withPropertyValues("management.endpoints.web.exposure.include=throttling");

	@Test
	void withoutAnythingDoneShowsZeros() {
		this.contextRunner.run(get("/actuator/throttling",
				"""
						{
							"queues": {
								"inbound": {
									"maxTasksBeforeYield": 10, "version": 1, "count": 0, "running": 0, "paused": 0, "held": 0, "waiting": { "high": 0, "normal": 0 },
									"oldestWait": 0.0, "completed": 0, "failed": 0, "rejected": 0, "dropped": 0, "expired": 0,
									"cancelled": 0, "listenerFailures": 0, "deepest": []
								}
							},
							"throttles": {},
							"listenerFailures": 0
						}
						"""));
	}

	@Test
	void showsWhatQueuesHoldWithoutTheirIds() {
		pauseAQueueWithTwoWaiting();
		this.contextRunner.run(get("/actuator/throttling",
				"""
						{
							"queues": {
								"inbound": {
									"maxTasksBeforeYield": 10, "version": 1, "count": 1, "running": 0, "paused": 1, "held": 0, "waiting": { "high": 1, "normal": 1 },
									"oldestWait": 0.113, "completed": 1, "failed": 1, "rejected": 0, "dropped": 0, "expired": 0,
									"cancelled": 0, "listenerFailures": 0,
									"deepest": [
										{
											"id": "******", "state": "paused", "waiting": { "high": 1, "normal": 1 },
											"oldestWait": 0.113
										}
									]
								}
							},
							"throttles": {},
							"listenerFailures": 0
						}
						"""));
	}

	@Test
	void showsBatchesWithTheirDeepestSlots() {
		BatchConsumer<Integer> batch = BatchConsumer.<Integer>builder()
			.slots(3)
			.batchSize(2)
			.pushInterval(Duration.ofDays(1))
			.executor(Runnable::run)
			.build();
		batch.start((items, slot) -> (items.get(0) == 1) ? CompletableFuture.completedFuture(null)
				: CompletableFuture.failedFuture(new IllegalStateException()));
		for (int slot : new int[] { 1, 1, 1, 2, 2, 2 }) {
			batch.push(slot, slot);
		}
		String expected = """
				{
					"running": true, "waiting": 2, "inFlight": 0, "batches": 1, "completed": 2, "failed": 2, "retries": 0,
					"rejected": 0, "dropped": 0, "callbackFailures": 0,
					"deepest": [
						{ "slot": 1, "waiting": 1, "inFlight": 0 },
						{ "slot": 2, "waiting": 1, "inFlight": 0 }
					]
				}
				""";
		WebApplicationContextRunner runner = this.contextRunner.withBean("invoices", BatchConsumer.class, () -> batch);
		runner.run(get("/actuator/throttling/batches/invoices", expected));
		runner.run((context) -> assertThat(context.getBean(ThrottlingEndpoint.class).throttling().batches())
			.containsOnlyKeys("invoices"));
	}

	@Test
	void showsTheClusterOnceSomebodyUsesIt() {
		String expected = """
				"cluster": {
					"state": "up",
					"nodes": [ { "name": "b1x9", "local": true }, { "name": "k2m4", "local": false } ],
					"topics": {
						"count": 3, "members": 5,
						"largest": [
							{ "name": "******", "members": 4, "waiting": 1, "oldestWait": 0.02, "at": "1043.b1x9.7" }
						]
					},
					"waiting": 8, "oldestWait": 0.03, "lag": 0.002, "openRequests": 7, "sent": 12, "received": 20, "failed": 9,
					"unknown": 10, "heals": 11, "gaps": 13,
					"resume": {
						"resumable": 29, "suspended": 14, "bytes": 4096,
						"outcomes": {
							"recovered": 21, "incomplete": 22, "expired": 23, "invalid": 24, "superseded": 25, "unavailable": 26
						}
					}
				}
				""";
		withLazyCluster().run((context) -> {
			assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling")).hasStatusOk()
				.bodyText()
				.doesNotContain("cluster");
			assertThat(context.getBeanFactory().containsSingleton("cluster")).isFalse();
			context.getBean(SessionCluster.class);
			assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling")).hasStatusOk()
				.bodyText()
				.contains(expected.replaceAll("\\s", ""));
		});
	}

	@Test
	void showsOneTopicOfTheCluster() {
		withLazyCluster().run((context) -> {
			assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling/topics/room-7"))
				.hasStatus(HttpStatus.NOT_FOUND);
			context.getBean(SessionCluster.class);
			get("/actuator/throttling/topics/room-7", """
					{ "name": "******", "members": 4, "waiting": 1, "oldestWait": 0.02, "at": "1043.b1x9.7" }
					""").accept(context);
			assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling/topics/other"))
				.hasStatus(HttpStatus.NOT_FOUND);
		});
	}

	private WebApplicationContextRunner withLazyCluster() {
		SessionCluster cluster = mock(SessionCluster.class);
		given(cluster.snapshot(10)).willReturn(ClusterSnapshots.of(BusState.UP));
		given(cluster.snapshot(anyString())).willReturn(Optional.empty());
		given(cluster.snapshot("room-7")).willReturn(Optional.of(ClusterSnapshots.ROOM));
		return this.contextRunner.withBean("cluster", SessionCluster.class, () -> cluster,
				(definition) -> definition.setLazyInit(true));
	}

	@Test
	void showsWhatARateHasDoneWithoutItsKeys() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofSeconds(1)));
		useCommands();
		this.contextRunner.run(get("/actuator/throttling/throttles/commands",
				"""
						{
							"type": "sliding-log", "limit": 2, "period": "PT1S", "dryRun": false, "source": "runtime", "version": 1,
							"admitted": 3, "rejected": 1, "waiting": 0, "keys": 2,
							"hottest": [
								{ "key": "******", "used": 2, "remaining": 0, "rejected": 1, "waiting": 0, "retryAfter": 0.6 },
								{ "key": "******", "used": 1, "remaining": 1, "rejected": 0, "waiting": 0, "retryAfter": 0.0 }
							]
						}
						"""));
	}

	@Test
	void showsWhatASlidingWindowHasBesides() {
		this.limits.addOrUpdate("dropbox", Limit.slidingWindow(4, Duration.ofHours(1), 3));
		this.contextRunner.run(get("/actuator/throttling/throttles/dropbox",
				"""
						{
							"type": "sliding-window", "limit": 4, "period": "PT1H", "buckets": 3, "dryRun": false,
							"source": "runtime", "version": 1, "admitted": 0, "rejected": 0, "waiting": 0, "keys": 0, "hottest": []
						}
						"""));
	}

	@Test
	void showsWhatADynamicWindowHasInstead() {
		this.limits.addOrUpdate("tenants", Limit.dynamicWindow(20, 2, 10, Duration.ofMinutes(1), 6));
		this.contextRunner.run(get("/actuator/throttling/throttles/tenants", """
				{
					"type": "dynamic-window", "period": "PT1M", "buckets": 6, "capacity": 20, "minLimit": 2,
					"maxLimit": 10, "dryRun": false, "source": "runtime", "version": 1, "admitted": 0, "rejected": 0,
					"waiting": 0, "keys": 0, "hottest": []
				}
				"""));
	}

	@Test
	void showsWhatATokenBucketHasBesides() {
		this.limits.addOrUpdate("quotes", Limit.tokenBucket(20, 10, Duration.ofSeconds(1)));
		this.contextRunner.run(get("/actuator/throttling/throttles/quotes",
				"""
						{
							"type": "token-bucket", "limit": 10, "period": "PT1S", "capacity": 20, "dryRun": false,
							"source": "runtime", "version": 1, "admitted": 0, "rejected": 0, "waiting": 0, "keys": 0, "hottest": []
						}
						"""));
	}

	@Test
	void showsWhoHoldsAMutexWithoutTheirNames() {
		this.limits.addOrUpdate("order", Limit.mutex());
		this.limits.tryAcquire(AcquireRequest.of("order", "o-1").owner("batch-1"));
		this.limits.tryAcquire(AcquireRequest.of("order", "o-1").owner("batch-2"));
		this.contextRunner.run(get("/actuator/throttling/throttles/order", """
				{
					"type": "mutex", "limit": 1, "dryRun": false, "source": "runtime", "version": 1,
					"admitted": 1, "rejected": 1, "waiting": 0, "keys": 1, "held": 1,
					"holders": [
						{
							"key": "******", "owner": "******", "permits": 1, "since": "2024-10-04T00:00:00Z",
							"waiting": 0
						}
					]
				}
				"""));
	}

	@Test
	void showsAllPartsInTheirOrder() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofSeconds(1)));
		this.contextRunner.withBean("sluiceOutbound", SequentialLeveledTaskExecutor.class, () -> this.inbound)
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling")).bodyText()
				.containsSubsequence("\"queues\":", "\"inbound\":", "\"outbound\":", "\"throttles\":",
						"\"commands\":"));
	}

	@Test
	void showsOneKeyOfALimit() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofSeconds(1)));
		useCommands();
		this.contextRunner.run(get("/actuator/throttling/throttles/commands?key=alice", """
				{ "key": "******", "used": 2, "remaining": 0, "rejected": 1, "waiting": 0, "retryAfter": 0.6 }
				"""));
	}

	@Test
	void showsOneQueueOfEveryExecutorThatHasIt() {
		pauseAQueueWithTwoWaiting();
		this.contextRunner.run(get("/actuator/throttling/queues/session-1", """
				{
					"inbound": {
						"id": "******", "state": "paused", "waiting": { "high": 1, "normal": 1 }, "oldestWait": 0.113
					}
				}
				"""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					/throttles/unknown           | There is no throttle 'unknown'
					/throttles/unknown?key=alice | There is no throttle 'unknown'
					/queues/unknown              | There is no such queue
					/executors/unknown           | There is no executor 'unknown'
					/sessions/unknown            | There is no such session
					/topics/unknown              | There is no such topic on this node
					/unknown/commands            | There is nothing of the kind 'unknown'; known: batches, executors, queues, throttles, sessions, topics
					""")
	void whatIsUnknownIsNotFoundAndSaysSo(String path, String detail) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofSeconds(1)));
		this.contextRunner
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling" + path))
				.hasStatus(HttpStatus.NOT_FOUND)
				.hasBodyTextEqualTo("{\"status\":404,\"detail\":\"%s\"}".formatted(detail)));
	}

	@Test
	void listsAreAsLongAsAskedFor() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofSeconds(1)));
		useCommands();
		this.contextRunner.withPropertyValues("management.endpoint.throttling.top=1")
			.run((context) -> assertThat(
					context.getBean(ThrottlingEndpoint.class).throttling().throttles().get("commands"))
				.satisfies((throttle) -> assertThat(throttle.keys()).isEqualTo(2),
						(throttle) -> assertThat(throttle.hottest()).hasSize(1)));
	}

	@Test
	void withAMillionKeysTheAnswerStaysSmall() {
		LimitOptions options = LimitOptions.builder().maxKeys(1_000_000).build();
		Throttle throttle = this.limits.addOrUpdate("commands", Limit.fixedWindow(2, Duration.ofDays(1)), options);
		IntStream.range(0, 1_000_000).forEach((i) -> throttle.tryAcquire("key-" + i));
		this.contextRunner
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling")).bodyText()
				.contains("\"keys\":1000000")
				.hasSizeLessThan(2_000));
	}

	@Test
	void idsAreShownWhenAlways() {
		pauseAQueueWithTwoWaiting();
		this.contextRunner.withPropertyValues("management.endpoint.throttling.show-keys=always").run((context) -> {
			assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling")).bodyText().contains("session-1");
			assertThat(context.getBean(ThrottlingEndpoint.class).throttling().toString()).contains("session-1");
		});
	}

	@Test
	void idsAreHiddenWithoutTheWebToo() {
		pauseAQueueWithTwoWaiting();
		this.contextRunner
			.run((context) -> assertThat(context.getBean(ThrottlingEndpoint.class).throttling().toString())
				.contains("******")
				.doesNotContain("session-1"));
	}

	@ParameterizedTest
	@CsvSource({ "GUEST, false", "OPERATOR, true" })
	void idsAreShownToWhoHasTheRoleWhenAuthorized(String role, boolean shown) {
		pauseAQueueWithTwoWaiting();
		this.contextRunner
			.withPropertyValues("management.endpoint.throttling.show-keys=when-authorized",
					"management.endpoint.throttling.roles=OPERATOR")
			.run((context) -> assertThat(MockMvcTester.from(context)
				.get()
				.uri("/actuator/throttling")
				.principal(() -> "ann")
				.with((request) -> {
					request.addUserRole(role);
					return request;
				})).bodyText().contains(shown ? "session-1" : "******"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			OPERATR  | OPERATOR | ann  | false
			OPERATOR | operator | ann  | false
			''       | GUEST    | ann  | true
			''       | none     | none | false
			OPERATR  | none     | none | false
			""")
	void aMisspeltRoleShowsIdsToNobody(String configured, @Nullable String role, @Nullable String user, boolean shown) {
		pauseAQueueWithTwoWaiting();
		this.contextRunner
			.withPropertyValues("management.endpoint.throttling.show-keys=when-authorized",
					"management.endpoint.throttling.roles=" + configured)
			.run((context) -> assertThat(
					MockMvcTester.from(context).get().uri("/actuator/throttling").with((request) -> {
						request.setUserPrincipal((user != null) ? () -> user : null);
						if (role != null) {
							request.addUserRole(role);
						}
						return request;
					}))
				.bodyText()
				.contains(shown ? "session-1" : "******"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.endpoints.web.exposure.include=health",
			"management.endpoint.throttling.access=NONE", "sluice.enabled=false" })
	void whatIsSwitchedOffIsNotThere(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).doesNotHaveBean(ThrottlingEndpoint.class));
	}

	@Test
	void anApplicationWithoutActuatorStarts() {
		new ApplicationContextRunner().withUserConfiguration(Limits.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ThrottlingManager.class));
	}

	@Test
	void anApplicationWithoutWebSocketHasTheEndpoint() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.web.socket"))
			.run((context) -> assertThat(context.getBean(ThrottlingEndpoint.class).throttling().sessions()).isNull());
	}

	private void pauseAQueueWithTwoWaiting() {
		this.inbound.execute("session-1", Level.NORMAL, () -> {
		});
		this.inbound.execute("session-1", Level.NORMAL, () -> {
			throw new IllegalStateException("expected");
		});
		this.inbound.queue("session-1").pause();
		this.inbound.execute("session-1", Level.NORMAL, () -> {
		});
		this.now.addAndGet(Duration.ofMillis(112).toNanos());
		this.inbound.execute("session-1", Level.HIGH, () -> {
		});
		this.now.addAndGet(1);
	}

	private void useCommands() {
		this.limits.get("commands").tryAcquire("alice");
		this.limits.get("commands").tryAcquire("alice");
		this.limits.get("commands").tryAcquire("bob");
		this.now.addAndGet(Duration.ofMillis(400).toNanos());
		this.limits.get("commands").tryAcquire("alice");
	}

	/**
	 * Expects the very text, since the order of its fields is part of it; only space is
	 * free.
	 */
	private static ContextConsumer<AssertableWebApplicationContext> get(String path, String json) {
		return (context) -> assertThat(MockMvcTester.from(context).get().uri(path)).hasStatusOk()
			.hasBodyTextEqualTo(json.replaceAll("\\s", ""));
	}

	/**
	 * Imports by name, as an application does; nothing else leaves out what cannot be
	 * loaded.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SluiceThrottlingAutoConfiguration.class, SluiceEndpointAutoConfiguration.class,
			SluiceDashboardAutoConfiguration.class, SluiceMetricsAutoConfiguration.class })
	static class Limits {

	}

}
