package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A line of two nodes whose tables are renamed for a while. */
class JdbcLineRecoveryTests {

	private static final int WAITERS = 50;

	private static final Duration LONG = Duration.ofDays(1);

	private final String schema = PostgresServer.newSchema();

	private final HikariDataSource pool = PostgresServer.pool();

	private final HikariDataSource otherPool = PostgresServer.pool();

	private JdbcThrottleStore store;

	private JdbcThrottleStore otherStore;

	@BeforeEach
	void start() {
		this.store = JdbcThrottleStore.builder(this.pool).schema(this.schema).initializeSchema(true).build();
		this.otherStore = JdbcThrottleStore.builder(this.otherPool).schema(this.schema).build();
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.otherStore.close();
		this.pool.close();
		this.otherPool.close();
	}

	@Test
	void lineContinuesInItsOrderWhenTheTablesAreBack() throws Exception {
		Throttle mutex = ThrottlingManager.builder().store(this.store).build().addOrUpdate("mutex", Limit.mutex());
		Throttle elsewhere = ThrottlingManager.builder().store(this.otherStore).build().get("mutex");
		Permit holder = mutex.tryAcquire("k").permit();
		Queue<Integer> served = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<Void>> line = new ArrayList<>();
		for (int i = 0; i < WAITERS; i++) {
			int number = i;
			line.add(((i % 2 == 0) ? mutex : elsewhere).acquire("k", 1, LONG).thenAccept((permit) -> {
				served.add(number);
				permit.close();
			}));
			soon().until(() -> mutex.state("k").waiting() == number + 1);
		}
		try (Connection connection = DriverManager.getConnection(PostgresServer.url());
				Statement statement = connection.createStatement()) {
			connection.setSchema(this.schema);
			for (String table : List.of("sluice_hold", "sluice_line", "sluice_node")) {
				statement.execute("ALTER TABLE " + table + " RENAME TO old_" + table);
			}
			holder.close();
			soon().until(() -> this.store.snapshot().unavailable() && this.otherStore.snapshot().unavailable());
			Awaitility.await().pollDelay(Duration.ofMillis(500)).until(() -> true);
			for (String table : List.of("sluice_hold", "sluice_line", "sluice_node")) {
				statement.execute("ALTER TABLE old_" + table + " RENAME TO " + table);
			}
		}

		CompletableFuture.allOf(line.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
		assertThat(served).containsExactlyElementsOf(IntStream.range(0, WAITERS).boxed().toList());
		soon().until(() -> mutex.snapshot(0).held() == 0);
	}

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(10));
	}

}
