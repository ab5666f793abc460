package dev.sluice.redis;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;

import static org.awaitility.Awaitility.await;

/** Three masters that share the slots. */
final class RedisCluster implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private final List<RedisServer> servers;

	/** Starts it, with a directory of its own for files that its servers keep. */
	RedisCluster(Path directory) {
		this.servers = IntStream.range(0, 3)
			.mapToObj((i) -> RedisServer.startInCluster(directory.resolve("" + i)))
			.toList();
		for (int i = 0; i < 3; i++) {
			int first = i * SLOTS / 3;
			int end = (i + 1) * SLOTS / 3;
			at(this.servers.get(i), (redis) -> {
				redis.clusterAddSlots(IntStream.range(first, end).toArray());
				return this.servers.stream().map((other) -> redis.clusterMeet("127.0.0.1", other.port())).toList();
			});
		}
		await().atMost(60, TimeUnit.SECONDS).until(() -> fromAll(RedisCluster::isWhole).stream().allMatch((it) -> it));
	}

	private static boolean isWhole(RedisCommands<String, String> redis) {
		String info = redis.clusterInfo();
		return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3");
	}

	RedisClusterClient client() {
		return RedisClusterClient.create(RedisURI.create("127.0.0.1", this.servers.get(0).port()));
	}

	/** Asks each server for something. */
	<T> List<T> fromAll(Function<RedisCommands<String, String>, T> question) {
		return this.servers.stream().map((server) -> at(server, question)).toList();
	}

	private static <T> T at(RedisServer server, Function<RedisCommands<String, String>, T> action) {
		RedisClient one = server.client();
		try (StatefulRedisConnection<String, String> connection = one.connect()) {
			return action.apply(connection.sync());
		}
		finally {
			one.shutdown();
		}
	}

	@Override
	public void close() {
		this.servers.forEach(RedisServer::close);
	}

}
