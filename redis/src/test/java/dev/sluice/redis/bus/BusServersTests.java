package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.bus.partition.Topology;
import dev.sluice.redis.connection.Connector;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Servers of a cluster of which a test tells where the partitions are. */
class BusServersTests {

	private static BusServer server;

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicReference<List<Integer>> had = new AtomicReference<>(Partitions.all());

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final BusServers servers = new BusServers(new Topology() {

		@Override
		public boolean isCluster() {
			return true;
		}

		@Override
		public List<Shard> shards() {
			BusServersTests.this.asked.incrementAndGet();
			List<Integer> partitions = BusServersTests.this.had.get();
			return partitions.isEmpty() ? List.of() : List.of(new Shard("", Connector.of(server.client()), partitions));
		}

	}, new BusNames("sluice:"), "node", Duration.ofSeconds(10), false, this.timer, (message) -> {
	}, (subscribed) -> {
	});

	@BeforeAll
	static void startServer() {
		server = new BusServer(RedisServer.start());
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@AfterEach
	void stop() {
		this.servers.close();
		this.timer.shutdownNow();
	}

	@Test
	void aPartitionThatNoServerHasIsLookedForUntilOneDoes() {
		int last = Partitions.COUNT - 1;
		this.had.set(Partitions.all().subList(0, last));
		this.servers.open();
		awaitWatching(() -> this.asked.get() > 5);
		assertThat(this.servers.isConnected(0)).isTrue();
		assertThat(this.servers.isConnected(last)).isFalse();
		this.had.set(Partitions.all());
		awaitWatching(() -> this.servers.isConnected(last));
	}

	@Test
	void serversAreLookedForAsLongAsThereAreNone() {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
		Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
		try {
			this.had.set(Partitions.all().subList(0, Partitions.COUNT - 1));
			this.servers.open();
			awaitWatching(() -> this.asked.get() > 2);
			this.had.set(List.of());
			awaitWatching(() -> !this.servers.isConnected(0));
			this.had.set(Partitions.all());
			awaitWatching(() -> this.servers.isConnected(0));
		}
		finally {
			Thread.setDefaultUncaughtExceptionHandler(handler);
		}
		assertThat(failures).isEmpty();
	}

	@Test
	void startNamesTheKeyOfTheFormatThatHasAnotherType() {
		this.had.set(Partitions.all());
		String key = new BusNames("sluice:").format();
		try (StatefulRedisConnection<String, String> connection = server.client().connect()) {
			connection.sync().del(key);
			connection.sync().hset(key, "a", "1");
			assertThatExceptionOfType(BusFormatException.class).isThrownBy(this.servers::open)
				.withMessageContaining("'a value of another type' is recorded in '" + key + "'")
				.returns(key, BusFormatException::key);
			assertThat(connection.sync().type(key)).isEqualTo("hash");
			connection.sync().del(key);
		}
	}

	private void awaitWatching(BooleanSupplier condition) {
		await().dontCatchUncaughtExceptions().atMost(Duration.ofSeconds(10)).until(() -> {
			this.servers.watch();
			return condition.getAsBoolean();
		});
	}

}
