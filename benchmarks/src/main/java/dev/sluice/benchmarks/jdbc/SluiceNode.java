package dev.sluice.benchmarks.jdbc;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.benchmarks.Node;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;

/** Sluice's store with its pool, as it is by default but for its time-out. */
final class SluiceNode implements Node {

	private static final int POOL = 4;

	private final HikariDataSource pool;

	private final JdbcThrottleStore store;

	private final ThrottlingManager manager;

	private final Throttle throttle;

	SluiceNode(Server server) {
		this.pool = server.pool(POOL);
		this.store = JdbcThrottleStore.builder(this.pool)
			.initializeSchema(true)
			.timeout(Duration.ofSeconds(10))
			.build();
		this.manager = ThrottlingManager.builder().store(this.store).build();
		this.throttle = this.manager.addOrUpdate("quotes",
				Limit.tokenBucket(Contender.LIMIT, Contender.LIMIT, Duration.ofSeconds(1)));
	}

	ThrottlingManager manager() {
		return this.manager;
	}

	@Override
	public boolean tryAcquire() {
		return this.throttle.tryAcquire("hot").admitted();
	}

	@Override
	public void close() {
		this.store.close();
		this.pool.close();
	}

}
