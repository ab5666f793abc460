package dev.sluice.benchmarks.redis;

import java.time.Duration;

import dev.sluice.benchmarks.Node;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;

/** Sluice's store, as it is by default but for its time-out. */
final class SluiceNode implements Node {

	private final RedisClient client;

	private final RedisThrottleStore store;

	private final Throttle throttle;

	/** Connects with as many permits taken ahead as a batch may have; 1 is exact. */
	SluiceNode(int port, int batch) {
		this.client = RedisClient.create("redis://127.0.0.1:" + port);
		this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.store = RedisThrottleStore.builder(this.client).timeout(Duration.ofSeconds(10)).build();
		this.throttle = ThrottlingManager.builder()
			.store(this.store)
			.build()
			.addOrUpdate("quotes-" + batch, Limit.tokenBucket(Contender.LIMIT, Contender.LIMIT, Duration.ofSeconds(1)),
					LimitOptions.builder().batch(batch).build());
	}

	@Override
	public boolean tryAcquire() {
		return this.throttle.tryAcquire("hot").admitted();
	}

	@Override
	public void close() {
		this.store.close();
		this.client.shutdown();
	}

}
