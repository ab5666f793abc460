package dev.sluice.redis.bus;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterBusContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** Nodes over the server of this machine, if there is one: usually a newer one. */
@Tag("full")
@EnabledIf("isInstalled")
class InstalledRedisClusterBusContractTests extends ClusterBusContract {

	private static BusServer server;

	@BeforeAll
	static void startServer() {
		server = new BusServer(RedisServer.start(RedisServer.installed().orElseThrow()));
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	protected ClusterBus connect() {
		return server.connect();
	}

	static boolean isInstalled() {
		return RedisServer.installed().isPresent();
	}

}
