package dev.sluice.benchmarks.redis;

import java.time.Duration;

import dev.sluice.benchmarks.Node;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's rate limiter, with its pool of connections as it is by default. */
final class RedissonNode implements Node {

	private final RedissonClient client;

	private final RRateLimiter limiter;

	RedissonNode(int port) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
		this.client = Redisson.create(config);
		this.limiter = this.client.getRateLimiter("redisson-hot");
		this.limiter.trySetRate(RateType.OVERALL, Contender.LIMIT, Duration.ofSeconds(1));
	}

	@Override
	public boolean tryAcquire() {
		return this.limiter.tryAcquire();
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
