package dev.sluice.autoconfigure.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.actuate.health.SluiceHealthAutoConfiguration;
import dev.sluice.actuate.metrics.SluiceMetricsAutoConfiguration;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.properties.InvalidConfigurationFailureAnalyzer;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("redis")
class SluiceRedisAutoConfigurationTests {

	private static final String URL = "redis://127.0.0.1:";

	private static RedisServer server;

	private static int port;

	private final ApplicationContextRunner anywhere = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, SluiceRedisAutoConfiguration.class,
				SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class));

	private final ApplicationContextRunner contextRunner = this.anywhere.withPropertyValues(
			"spring.data.redis.url=" + URL + port, "sluice.store.redis.timeout=10s", "sluice.throttles.quotes.limit=2",
			"sluice.throttles.quotes.period=1h");

	@BeforeAll
	static void start() throws IOException {
		for (int attempt = 0; server == null || !server.isActive(); attempt++) {
			port = freePort();
			try {
				server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
				server.start();
			}
			catch (IOException ex) {
				if (attempt == 9) {
					throw ex;
				}
			}
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	@AfterAll
	static void stop() throws IOException {
		server.stop();
	}

	@Test
	void limitsAreInMemoryUnlessAskedFor() {
		this.contextRunner.run((context) -> {
			assertThat(context).doesNotHaveBean(ThrottleStore.class);
			assertThat(quotes(context).toString()).doesNotContain("stored");
		});
	}

	@Test
	void applicationsShareTheirLimits() {
		ApplicationContextRunner inRedis = this.contextRunner.withPropertyValues("sluice.store.type=redis",
				"sluice.store.redis.key-prefix=shared:");

		inRedis.run((context) -> inRedis.run((other) -> {
			assertThat(context).hasSingleBean(RedisThrottleStore.class);
			assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(other).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(context).tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
			assertThat(quotes(other).tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		}));

		assertThat(keys("shared:*")).contains("shared:{quotes:k}", "shared:limit:quotes");
	}

	private static List<String> keys(String pattern) {
		RedisClient client = RedisClient.create(URL + port);
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().keys(pattern);
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	void permitLastsForALeaseUnlessItIsRenewed() {
		this.contextRunner
			.withPropertyValues("sluice.store.type=redis", "sluice.store.redis.key-prefix=lease:",
					"sluice.store.redis.lease=7s")
			.run((context) -> {
				Throttle mutex = context.getBean(ThrottlingManager.class).addOrUpdate("order", Limit.mutex());
				assertThat(mutex.tryAcquire("k").admitted()).isTrue();

				assertThat(timeToLive("lease:{order:k}")).isBetween(7_000L, 14_000L);
			});
	}

	private static long timeToLive(String key) {
		RedisClient client = RedisClient.create(URL + port);
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().pttl(key);
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	void nodeTakesPermitsInBatches() {
		this.contextRunner
			.withPropertyValues("sluice.store.type=redis", "sluice.store.redis.key-prefix=batch:",
					"sluice.store.redis.batch=50", "sluice.throttles.quotes.limit=100000")
			.run((context) -> {
				Throttle quotes = quotes(context);
				AtomicInteger admitted = new AtomicInteger();
				await().until(() -> {
					for (int i = 0; i < 20; i++) {
						admitted.addAndGet(quotes.tryAcquire("k").admitted() ? 1 : 0);
					}
					return quotes.state("k").used() > admitted.get();
				});
			});
	}

	@Test
	void grantDoesNotCountUntilReplicasHaveConfirmedIt() {
		this.contextRunner
			.withPropertyValues("sluice.store.type=redis", "sluice.store.redis.key-prefix=replicas:",
					"sluice.store.redis.timeout=300ms", "sluice.store.redis.wait-replicas=1")
			.run((context) -> assertThat(quotes(context).tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE));
	}

	@Test
	void quorumOfAMasterWithoutReplicasIsTheMaster() {
		this.contextRunner
			.withPropertyValues("sluice.store.type=redis", "sluice.store.redis.key-prefix=quorum:",
					"sluice.store.redis.wait-replicas=quorum")
			.run((context) -> assertThat(quotes(context).tryAcquire("k").admitted()).isTrue());
	}

	@Test
	void clocksOfNodesDoNotMatter() {
		ApplicationContextRunner inRedis = this.contextRunner.withPropertyValues("sluice.store.type=redis",
				"sluice.store.redis.key-prefix=clocks:");
		NanoClock anHourAhead = () -> NanoClock.system().nanoTime() + Duration.ofHours(1).toNanos();

		inRedis.run((context) -> inRedis.withBean(NanoClock.class, () -> anHourAhead).run((ahead) -> {
			assertThat(quotes(ahead).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
			assertThat(quotes(ahead).tryAcquire("k").admitted()).isFalse();
			assertThat(quotes(context).tryAcquire("k").admitted()).isFalse();
		}));
	}

	@Test
	void connectionOfTheApplicationKeepsItsOwnRules() {
		this.contextRunner.withPropertyValues("sluice.store.type=redis").run((context) -> {
			LettuceConnectionFactory factory = context.getBean(LettuceConnectionFactory.class);
			assertThat(factory.getRequiredNativeClient().getOptions().isAutoReconnect()).isTrue();
		});
	}

	@Test
	void applicationStartsWhileRedisIsAway() throws IOException {
		this.contextRunner.withPropertyValues("sluice.store.type=redis", "spring.data.redis.url=" + URL + freePort())
			.run((context) -> assertThat(quotes(context).tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE));
	}

	@Test
	void applicationStartsWhileRedisTakesConnectionsButSaysNothing() throws IOException {
		long start = System.nanoTime();
		try (ServerSocket silent = new ServerSocket(0)) {
			this.contextRunner
				.withPropertyValues("sluice.store.type=redis", "spring.data.redis.url=" + URL + silent.getLocalPort())
				.run((context) -> assertThat(quotes(context).tryAcquire("k").reason())
					.isEqualTo(Decision.Reason.STORE));
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
	}

	@Test
	void failurePolicyIsThatOfTheStoreUnlessTheLimitHasOne() throws IOException {
		this.contextRunner
			.withPropertyValues("sluice.store.type=redis", "sluice.store.redis.failure-policy=open",
					"sluice.throttles.order.type=mutex", "sluice.throttles.order.failure-policy=closed",
					"spring.data.redis.url=" + URL + freePort())
			.run((context) -> {
				assertThat(quotes(context).tryAcquire("k", 2).admitted()).isTrue();
				assertThat(quotes(context).tryAcquire("k").admitted()).isTrue();
				assertThat(context.getBean(ThrottlingManager.class).get("order").tryAcquire().reason())
					.isEqualTo(Decision.Reason.STORE);
				assertThat(context.getBean(RedisThrottleStore.class).snapshot().closed()).containsExactly("order");
			});
	}

	@Test
	void storeOfTheUserIsUsed() {
		ThrottleStore store = ThrottleStore.inMemory(NanoClock.system());

		this.contextRunner.withPropertyValues("sluice.store.type=redis")
			.withBean(ThrottleStore.class, () -> store)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RedisThrottleStore.class);
				assertThat(quotes(context).toString()).contains("stored");
			});
	}

	@Test
	void withoutTheLibraryTheStartEndsAndNamesIt() {
		this.contextRunner.withPropertyValues("sluice.store.type=redis")
			.withClassLoader(new FilteredClassLoader(RedisThrottleStore.class))
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure()).getAction())
					.contains("dev.sluice:sluice-redis");
			});
	}

	@Test
	void replicasWithoutSentinelsEndTheStart() {
		this.anywhere
			.withPropertyValues("sluice.store.type=redis", "spring.data.redis.masterreplica.nodes=127.0.0.1:" + port)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(context.getStartupFailure()).rootCause()
					.isInstanceOfSatisfying(InvalidConfigurationException.class, (failure) -> {
						assertThat(failure).hasMessageContaining("masterreplica.nodes");
						assertThat(failure.action()).contains("spring.data.redis.url");
					});
			});
	}

	@Test
	void storeIsMeteredAndPartOfTheHealth() {
		this.contextRunner
			.withConfiguration(
					AutoConfigurations.of(SluiceMetricsAutoConfiguration.class, SluiceHealthAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("sluice.store.type=redis", "sluice.store.redis.key-prefix=seen:")
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
				quotes(context).tryAcquire();
				assertThat(registry.get("sluice.store.commands").functionTimer().count()).isPositive();
				assertThat(registry.get("sluice.store.unavailable").gauge().value()).isZero();
				assertThat(registry.get("sluice.store.nodes").gauge().value()).isPositive();
				assertThat(registry.get("sluice.store.decisions")
					.tags("policy", "open", "outcome", "admitted")
					.functionCounter()
					.count()).isZero();
				assertThat(context.getBean("sluiceHealthIndicator", HealthIndicator.class).health().getStatus())
					.isEqualTo(Status.UP);
			});
	}

	@Test
	void nativeImageHasEveryScript() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new RedisScriptHints().registerHints(hints, null);

		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:dev/sluice/redis/connection/*.lua");
		assertThat(scripts).isNotEmpty()
			.allSatisfy((script) -> assertThat(RuntimeHintsPredicates.resource()
				.forResource("dev/sluice/redis/connection/" + script.getFilename())).accepts(hints));
	}

	private static Throttle quotes(ApplicationContext context) {
		return context.getBean(ThrottlingManager.class).get("quotes");
	}

}
