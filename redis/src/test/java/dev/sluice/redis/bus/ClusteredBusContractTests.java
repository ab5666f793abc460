package dev.sluice.redis.bus;

import java.nio.file.Path;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterBusContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes over a cluster of the oldest servers that are supported: without sharded
 * channels.
 */
@Tag("full")
class ClusteredBusContractTests extends ClusterBusContract {

	private static BusCluster cluster;

	@BeforeAll
	static void startServers(@TempDir Path directory) {
		cluster = new BusCluster(RedisServer.bundled(), directory);
	}

	@AfterAll
	static void stopServers() {
		cluster.close();
	}

	@Override
	protected ClusterBus connect() {
		return cluster.connect();
	}

}
