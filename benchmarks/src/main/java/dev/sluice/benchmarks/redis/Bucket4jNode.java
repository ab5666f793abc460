package dev.sluice.benchmarks.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.sluice.benchmarks.Node;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.RemoteBucketBuilder;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;

/** Bucket4j on one connection of Lettuce. */
final class Bucket4jNode implements Node {

	private final RedisClient client;

	private final BucketProxy bucket;

	Bucket4jNode(int port, boolean batching) {
		this.client = RedisClient.create("redis://127.0.0.1:" + port);
		RemoteBucketBuilder<byte[]> builder = Bucket4jLettuce.casBasedBuilder(this.client).build().builder();
		if (batching) {
			builder = builder.withOptimization(Optimizations.batching());
		}
		BucketConfiguration configuration = BucketConfiguration.builder()
			.addLimit((limit) -> limit.capacity(Contender.LIMIT).refillGreedy(Contender.LIMIT, Duration.ofSeconds(1)))
			.build();
		this.bucket = builder.build(("bucket4j-hot-" + batching).getBytes(StandardCharsets.UTF_8), () -> configuration);
	}

	@Override
	public boolean tryAcquire() {
		return this.bucket.tryConsume(1);
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
