package dev.sluice.redis.bus;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterPresenceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Presence over the oldest server that is supported. */
class RedisBusPresenceContractTests extends ClusterPresenceContract {

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
