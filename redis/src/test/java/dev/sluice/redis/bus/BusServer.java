package dev.sluice.redis.bus;

import java.time.Duration;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

import static org.awaitility.Awaitility.await;

/** A server of the tests of a class, and nodes over it. */
final class BusServer implements AutoCloseable {

	private final RedisServer server;

	private final RedisClient client;

	BusServer(RedisServer server) {
		this.server = server;
		this.client = server.client();
	}

	RedisClient client() {
		return this.client;
	}

	ClusterBus connect() {
		return RedisClusterBus.builder(this.client)
			.keyPrefix("écluse:")
			.timeout(Duration.ofSeconds(10))
			.lease(Duration.ofSeconds(10))
			.beat(Duration.ofMillis(200))
			.build();
	}

	/** Waits until a time has passed by the clock of the server. */
	void pass(Duration time) {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			RedisCommands<String, String> commands = connection.sync();
			commands.psetex("passing", time.toMillis(), "");
			await().until(() -> commands.exists("passing") == 0);
		}
	}

	@Override
	public void close() {
		this.client.shutdown();
		this.server.close();
	}

}
