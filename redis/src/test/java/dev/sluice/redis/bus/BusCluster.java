package dev.sluice.redis.bus;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisCluster;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;

import static org.awaitility.Awaitility.await;

/** A cluster of the tests of a class, and nodes over it. */
final class BusCluster implements AutoCloseable {

	private final RedisCluster cluster;

	private final RedisClusterClient client;

	BusCluster(Path executable, Path directory) {
		this.cluster = new RedisCluster(executable, directory);
		this.client = this.cluster.client();
	}

	RedisCluster cluster() {
		return this.cluster;
	}

	RedisClusterClient client() {
		return this.client;
	}

	ClusterBus connect() {
		return RedisClusterBus.builder(this.client)
			.keyPrefix("écluse:")
			.timeout(Duration.ofSeconds(10))
			.lease(Duration.ofSeconds(10))
			.beat(Duration.ofMillis(300))
			.build();
	}

	/** Waits until a time has passed by the clock of a server. */
	void pass(Duration time) {
		try (StatefulRedisClusterConnection<String, String> connection = this.client.connect()) {
			RedisClusterCommands<String, String> commands = connection.sync();
			commands.set("passing", "", SetArgs.Builder.px(time.toMillis()));
			await().until(() -> commands.exists("passing") == 0);
		}
	}

	@Override
	public void close() {
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.cluster.close();
	}

}
