package dev.sluice.redis.bus;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterBusContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Nodes over the oldest server that is supported. */
class RedisClusterBusContractTests extends ClusterBusContract {

	private static BusServer server;

	@BeforeAll
	static void startServer() {
		server = new BusServer(RedisServer.start());
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	protected ClusterBus connect() {
		return server.connect();
	}

}
