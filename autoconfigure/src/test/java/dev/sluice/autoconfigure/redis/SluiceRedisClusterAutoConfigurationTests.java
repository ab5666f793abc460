package dev.sluice.autoconfigure.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterStompAutoConfiguration;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.Subscriber;
import dev.sluice.autoconfigure.properties.InvalidConfigurationFailureAnalyzer;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.bus.RedisClusterBus;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.messaging.simp.SimpMessagingTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

@Tag("redis")
class SluiceRedisClusterAutoConfigurationTests {

	private static final String URL = "redis://127.0.0.1:";

	private static RedisServer server;

	private static int port;

	private final WebApplicationContextRunner nowhere = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, SluiceRedisAutoConfiguration.class,
				SluiceRedisClusterAutoConfiguration.class, SluicePropertiesAutoConfiguration.class,
				SluiceThrottlingAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceClusterAutoConfiguration.class));

	private final WebApplicationContextRunner anywhere = this.nowhere
		.withPropertyValues("spring.data.redis.url=" + URL + port);

	private final WebApplicationContextRunner contextRunner = this.anywhere
		.withPropertyValues("sluice.cluster.type=redis");

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

	/** Returns a port that is free, and so is the one 10,000 above it. */
	private static int freePortInCluster() {
		while (true) {
			int port = 12_000 + ThreadLocalRandom.current().nextInt(10_000);
			try (ServerSocket socket = new ServerSocket(port); ServerSocket bus = new ServerSocket(port + 10_000)) {
				if (socket.isBound() && bus.isBound()) {
					return port;
				}
			}
			catch (IOException ex) {
				// somebody has it
			}
		}
	}

	@AfterAll
	static void stop() throws IOException {
		server.stop();
	}

	private static long nodes(String prefix) {
		RedisClient client = RedisClient.create(URL + port);
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().zcard(prefix + "bus:{8n}nodes");
		}
		finally {
			client.shutdown();
		}
	}

	@Test
	void applicationsAreNodesOfOneCluster() {
		this.contextRunner.run((one) -> this.contextRunner.run((other) -> {
			SessionCluster cluster = one.getBean(SessionCluster.class);
			assertThat(one).hasSingleBean(RedisClusterBus.class);
			await().until(() -> cluster.nodes().size() == 2);
			assertThat(cluster.find(SessionQuery.all()).join().silentNodes()).isEmpty();
		}));
	}

	@Test
	void destinationsOfStompAreThoseOfAllApplications() {
		WebApplicationContextRunner runner = this.contextRunner
			.withConfiguration(AutoConfigurations.of(SluiceStompAutoConfiguration.class,
					SluiceClusterStompAutoConfiguration.class))
			.withUserConfiguration(StompBroker.class)
			.withPropertyValues("sluice.cluster.stomp.destinations=/topic/**", "sluice.store.redis.key-prefix=stomp:");
		runner.run((one) -> runner.run((other) -> {
			Subscriber near = new Subscriber(one, "/topic/news");
			Subscriber far = new Subscriber(other, "/topic/news");
			for (String text : List.of("one", "two", "three")) {
				(text.equals("two") ? one : other).getBean(SimpMessagingTemplate.class)
					.convertAndSend("/topic/news", text);
				assertThat(near.next()).isEqualTo(far.next()).isEqualTo(text);
			}
		}));
	}

	@Test
	void aNodeStartsWithItsApplicationAndLeavesWithIt() {
		this.contextRunner.withPropertyValues("sluice.store.redis.key-prefix=starts:").run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("sluiceSessionCluster")).isTrue();
			await().until(() -> nodes("starts:") == 1);
		});
		assertThat(nodes("starts:")).isZero();
	}

	@Test
	void theClientOfTheStoreIsUsed() {
		this.contextRunner.withPropertyValues("sluice.store.type=redis")
			.run((context) -> assertThat(context).hasSingleBean(RedisThrottleStore.class)
				.hasSingleBean(RedisClusterBus.class)
				.hasSingleBean(RedisStoreConnections.class));
	}

	@Test
	void withoutTheTypeThereIsNoBusAndNoConnection() {
		this.anywhere.run((context) -> {
			assertThat(context).doesNotHaveBean(RedisClusterBus.class).doesNotHaveBean(RedisStoreConnections.class);
			assertThat(context.getBeanFactory().containsSingleton("sluiceSessionCluster")).isFalse();
		});
	}

	@Test
	void aBusOfTheApplicationIsUsed() {
		ClusterBus own = new MemoryBus().connect();
		this.contextRunner.withBean(ClusterBus.class, () -> own).run((context) -> {
			assertThat(context).doesNotHaveBean(RedisClusterBus.class);
			assertThat(context.getBean(SessionCluster.class).nodes()).hasSize(1);
		});
	}

	@Test
	void whatIsSwitchedOffDoesNotStart() {
		for (String property : Set.of("sluice.cluster.enabled=false", "sluice.websocket.enabled=false")) {
			this.contextRunner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(SessionCluster.class)
					.satisfies((none) -> assertThat(none.getBeanFactory().containsSingleton("sluiceRedisClusterBus"))
						.isFalse()));
		}
	}

	@Test
	void anApplicationStartsWithoutItsServer() throws IOException {
		this.contextRunner.withPropertyValues("spring.data.redis.url=" + URL + freePort()).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(SessionCluster.class).nodes()).isEmpty();
		});
	}

	@Test
	void withoutTheLibraryTheStartEndsAndNamesIt() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(RedisClusterBus.class)).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure()).getAction())
				.contains("dev.sluice:sluice-redis");
		});
	}

	@Test
	void aMessageOfATopicCountsOnceReplicasHaveConfirmedIt() {
		this.contextRunner
			.withPropertyValues("sluice.store.redis.key-prefix=replicas:", "sluice.cluster.timeout=300ms",
					"sluice.cluster.topics.[room-*].wait-replicas=1")
			.run((context) -> {
				SessionCluster cluster = context.getBean(SessionCluster.class);
				await().untilAsserted(() -> assertThatThrownBy(cluster.topic("room-7").publish("message")::join)
					.hasMessageContaining("too few replicas"));
				await().untilAsserted(() -> assertThat(cluster.topic("lobby").publish("message"))
					.succeedsWithin(Duration.ofSeconds(10)));
			});
	}

	@Test
	void replicasOfAClusterConfirmNothing() {
		this.nowhere
			.withPropertyValues("sluice.cluster.type=redis", "spring.data.redis.cluster.nodes=127.0.0.1:1",
					"sluice.cluster.topics.[room-*].wait-replicas=1")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(new InvalidConfigurationFailureAnalyzer().analyze(context.getStartupFailure()).getAction())
					.contains("'wait-replicas'", "'min-replicas-to-write'");
			});
	}

	@Test
	void nodesOfAnotherFormatEndTheStart() {
		try (RedisClient client = RedisClient.create(URL + port);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().set("other:bus:{8n}format", "2 96 classic");
		}
		this.contextRunner.withPropertyValues("sluice.store.redis.key-prefix=other:").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new BusFormatFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("'2 96 classic' is recorded in 'other:bus:{8n}format'");
			assertThat(analysis.getAction()).contains("'sluice.store.redis.key-prefix'", "begin with 'other:bus:'");
		});
	}

	@Test
	void applicationsAreNodesOverARedisCluster(@TempDir Path directory) throws IOException {
		int clustered = freePortInCluster();
		RedisServer master = RedisServer.newRedisServer()
			.port(clustered)
			.setting("save \"\"")
			.setting("cluster-enabled yes")
			.setting("dir " + directory)
			.build();
		master.start();
		try (RedisClient client = RedisClient.create(URL + clustered);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
			await().until(() -> connection.sync().clusterInfo().contains("cluster_state:ok"));
			WebApplicationContextRunner runner = this.nowhere.withPropertyValues("sluice.cluster.type=redis",
					"spring.data.redis.cluster.nodes=127.0.0.1:" + clustered);
			runner.run((one) -> runner.run((other) -> {
				SessionCluster cluster = one.getBean(SessionCluster.class);
				await().until(() -> cluster.nodes().size() == 2);
				assertThat(cluster.find(SessionQuery.all()).join().silentNodes()).isEmpty();
			}));
		}
		finally {
			master.stop();
		}
	}

}
