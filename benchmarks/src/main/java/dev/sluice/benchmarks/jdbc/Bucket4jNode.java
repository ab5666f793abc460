package dev.sluice.benchmarks.jdbc;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.benchmarks.Node;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.postgresql.Bucket4jPostgreSQL;

/** Bucket4j on a pool, by one of its two locks. */
final class Bucket4jNode implements Node {

	private final HikariDataSource pool;

	private final BucketProxy bucket;

	Bucket4jNode(Server server, boolean advisory) {
		String table = advisory ? "bucket_advisory" : "bucket_row";
		server.execute(
				"CREATE TABLE IF NOT EXISTS " + table + " (id BIGINT PRIMARY KEY, state BYTEA, expires_at BIGINT)");
		this.pool = server.pool(Server.POOL);
		ProxyManager<Long> buckets = advisory
				? Bucket4jPostgreSQL.advisoryLockBasedBuilder(this.pool).table(table).build()
				: Bucket4jPostgreSQL.selectForUpdateBasedBuilder(this.pool).table(table).build();
		BucketConfiguration configuration = BucketConfiguration.builder()
			.addLimit((limit) -> limit.capacity(Contender.LIMIT).refillGreedy(Contender.LIMIT, Duration.ofSeconds(1)))
			.build();
		this.bucket = buckets.builder().build(1L, () -> configuration);
	}

	@Override
	public boolean tryAcquire() {
		return this.bucket.tryConsume(1);
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
