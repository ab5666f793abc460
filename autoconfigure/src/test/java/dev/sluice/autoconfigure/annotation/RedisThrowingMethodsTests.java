package dev.sluice.autoconfigure.annotation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;

import dev.sluice.autoconfigure.fixture.CuttableNetwork;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.store.ThrottleStore;
import io.lettuce.core.RedisClient;
import redis.embedded.RedisServer;

/** {@link ThrowingMethodsContract} with limits in Redis. */
class RedisThrowingMethodsTests extends ThrowingMethodsContract {

	private RedisServer server;

	private CuttableNetwork network;

	private RedisClient client;

	private RedisThrottleStore store;

	@Override
	ThrottleStore store() {
		try {
			int port = freePort();
			this.server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
			this.server.start();
			this.network = new CuttableNetwork(port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.client = RedisClient.create("redis://127.0.0.1:" + this.network.port());
		this.store = RedisThrottleStore.builder(this.client).timeout(Duration.ofSeconds(2)).lease(LEASE).build();
		return this.store;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	@Override
	void stopStore() throws Exception {
		this.store.close();
		this.client.shutdown();
		this.network.close();
		this.server.stop();
	}

	@Override
	void cut() {
		this.network.cut();
	}

	@Override
	void repair() {
		this.network.repair();
	}

	@Override
	int step() {
		return 23;
	}

}
