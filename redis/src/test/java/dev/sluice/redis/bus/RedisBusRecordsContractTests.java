package dev.sluice.redis.bus;

import java.time.Duration;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.ClusterRecordsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Sessions that resume over the oldest server that is supported. */
class RedisBusRecordsContractTests extends ClusterRecordsContract {

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

	@Override
	protected void pass(Duration time) {
		server.pass(time);
	}

}
