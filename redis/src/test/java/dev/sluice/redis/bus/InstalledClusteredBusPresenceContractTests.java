package dev.sluice.redis.bus;

import java.nio.file.Path;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterPresenceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Presence over a cluster of the servers of this machine, if there is one: usually with
 * sharded channels.
 */
@Tag("full")
@EnabledIf("isInstalled")
class InstalledClusteredBusPresenceContractTests extends ClusterPresenceContract {

	private static BusCluster cluster;

	@BeforeAll
	static void startServers(@TempDir Path directory) {
		cluster = new BusCluster(RedisServer.installed().orElseThrow(), directory);
	}

	@AfterAll
	static void stopServers() {
		cluster.close();
	}

	@Override
	protected ClusterBus connect() {
		return cluster.connect();
	}

	static boolean isInstalled() {
		return RedisServer.installed().isPresent();
	}

}
