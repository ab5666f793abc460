package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Calls in line when the database goes, and when it is back. */
class JdbcFailoverTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final long PATIENCE = 60;

	private final HikariDataSource pool = poolThatSaysSoonWhatItLacks();

	private final JdbcThrottleStore store = JdbcThrottleStore.builder(this.pool)
		.schema(PostgresServer.newSchema())
		.initializeSchema(true)
		.failurePolicy(FailurePolicy.LOCAL)
		.listen(false)
		.timeout(Duration.ofSeconds(5))
		.build();

	private final Throttle mutex = ThrottlingManager.builder()
		.store(this.store)
		.build()
		.addOrUpdate("mutex", Limit.mutex());

	private final List<Connection> taken = new ArrayList<>();

	@AfterEach
	void stop() throws SQLException {
		giveBack();
		this.store.close();
		this.pool.close();
	}

	@Test
	void whoWaitsInTheDatabaseGoesByThePolicyWhenItIsAway() throws Exception {
		Permit held = this.mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> waiting = this.mutex.acquire("k", 1, LONG);
		soon().until(() -> this.mutex.state("k").waiting() == 1);

		takeAll();

		Permit granted = waiting.get(PATIENCE, TimeUnit.SECONDS);
		assertThat(held.fencingToken()).isPresent();
		assertThat(granted.fencingToken()).isEmpty();
	}

	@Test
	void whoWaitsHereWaitsInTheDatabaseWhenItIsBack() throws Exception {
		takeAll();
		assertThat(this.mutex.tryAcquire("k").permit().fencingToken()).isEmpty();
		CompletableFuture<Permit> waiting = this.mutex.acquire("k", 1, LONG);
		assertThat(waiting).isNotDone();

		giveBack();

		assertThat(waiting.get(PATIENCE, TimeUnit.SECONDS).fencingToken()).isPresent();
	}

	/** Takes all connections, and waits until the store knows. */
	private void takeAll() throws SQLException {
		while (this.taken.size() < this.pool.getMaximumPoolSize()) {
			try {
				this.taken.add(this.pool.getConnection());
			}
			catch (SQLException ex) {
				// The store uses one still
			}
		}
		soon().until(() -> this.store.snapshot().unavailable());
	}

	private void giveBack() throws SQLException {
		for (Connection connection : this.taken) {
			connection.close();
		}
		this.taken.clear();
	}

	private static HikariDataSource poolThatSaysSoonWhatItLacks() {
		HikariDataSource pool = PostgresServer.pool();
		pool.setConnectionTimeout(500);
		return pool;
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(PATIENCE));
	}

}
