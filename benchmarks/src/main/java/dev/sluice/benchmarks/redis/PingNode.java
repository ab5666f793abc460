package dev.sluice.benchmarks.redis;

import dev.sluice.benchmarks.Node;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/** Lettuce itself, on one connection. */
final class PingNode implements Node {

	private final RedisClient client;

	private final RedisCommands<String, String> redis;

	PingNode(int port) {
		this.client = RedisClient.create("redis://127.0.0.1:" + port);
		StatefulRedisConnection<String, String> connection = this.client.connect();
		this.redis = connection.sync();
	}

	@Override
	public boolean tryAcquire() {
		return this.redis.ping().equals("PONG");
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
