package dev.sluice.redis.bus;

import java.io.IOException;
import java.time.Duration;

import dev.sluice.bus.ClusterBus;
import dev.sluice.test.cluster.RecordedFrames;
import io.lettuce.core.RedisClient;

/**
 * A node of its own that is interested in a name. As a process: port of the server. It
 * runs until it is ended.
 */
final class BusNode {

	static final Duration LEASE = Duration.ofMillis(900);

	static final Duration BEAT = Duration.ofMillis(300);

	static final String NAME = "room";

	static final String PLACES = "places";

	private BusNode() {
	}

	static ClusterBus connect(RedisClient client) {
		return RedisClusterBus.builder(client)
			.keyPrefix("bus:")
			.timeout(Duration.ofMillis(1500))
			.lease(LEASE)
			.beat(BEAT)
			.build();
	}

	public static void main(String[] args) throws IOException {
		ClusterBus bus = connect(RedisClient.create("redis://127.0.0.1:" + args[0]));
		bus.start(new RecordedFrames());
		bus.join(NAME).join();
		bus.occupy(PLACES, 2, 2).join();
		System.out.println("ready");
		System.in.read();
	}

}
