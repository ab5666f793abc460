package dev.sluice.redis;

import java.nio.file.Path;

import io.lettuce.core.cluster.RedisClusterClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes over a cluster. */
@Tag("full")
class RedisClusterContractTests extends RedisContractTests {

	@TempDir
	static Path directory;

	private RedisCluster cluster;

	private RedisClusterClient client;

	@Override
	void startServer() {
		this.cluster = new RedisCluster(directory);
		this.client = this.cluster.client();
	}

	@Override
	RedisThrottleStore.Builder builder() {
		return RedisThrottleStore.builder(this.client);
	}

	@Override
	void stopServer() {
		this.client.shutdown();
		this.cluster.close();
	}

}
