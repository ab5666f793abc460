package dev.sluice.redis.bus;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterPresenceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** Presence over the server of this machine, if there is one: usually a newer one. */
@Tag("full")
@EnabledIf("isInstalled")
class InstalledRedisBusPresenceContractTests extends ClusterPresenceContract {

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
