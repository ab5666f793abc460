package dev.sluice.jdbc.throttle;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.internal.failover.StoreTimer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a node picks up, step by step, without the ticks of a store. */
class LinesTests {

	private final String schema = PostgresServer.newSchema();

	private final HikariDataSource pool = PostgresServer.pool();

	private final StoreTimer timer = new StoreTimer("test-timer");

	private final Database database = new Database(this.pool, this.schema, Duration.ofSeconds(60), 1, this.timer);

	private final Lines lines = new Lines(this.database, "node", this.timer,
			new Releases(this.database, "node", (nodes) -> {
			}));

	@AfterEach
	void stop() {
		this.database.close();
		this.timer.shutdownNow();
		this.pool.close();
	}

	@Test
	void grantThatEndsAQuietTimeCountsFromWhenItsCallCame() throws Exception {
		JdbcThrottleStore.builder(this.pool).schema(this.schema).initializeSchema(true).build().close();
		Calls calls = new Calls();
		long came = System.nanoTime();
		WaitingCall waiter = new WaitingCall(calls, AcquireRequest.of("mutex", "k"), false);
		waiter.enterAs(1);
		this.lines.add(waiter);
		grant(1, 7);

		this.lines.pick();

		assertThat(calls.since.get(60, TimeUnit.SECONDS) - came).isNotNegative();
	}

	@Test
	void grantsArePickedUpInTheirOrder() throws Exception {
		JdbcThrottleStore.builder(this.pool).schema(this.schema).initializeSchema(true).build().close();
		Calls calls = new Calls();
		for (long entry = 1; entry <= 4; entry++) {
			WaitingCall waiter = new WaitingCall(calls, AcquireRequest.of("rate", "k"), false);
			waiter.enterAs(entry);
			this.lines.add(waiter);
		}
		grant(4, 9);
		grant(3, 8);
		grant(2, 8);
		grant(1, 7);

		this.lines.pick();

		Awaitility.await().untilAsserted(() -> assertThat(calls.granted).containsExactly(1L, 2L, 3L, 4L));
	}

	private void grant(long entry, long granted) throws SQLException {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection.prepareStatement("INSERT INTO " + Text.quoted(this.schema)
						+ ".sluice_line VALUES ('node', ?, ?, ?, ?, 1, 1, ?, NULL)")) {
			insert.setLong(1, entry);
			for (int i = 2; i <= 4; i++) {
				insert.setBytes(i, "k".getBytes(StandardCharsets.UTF_8));
			}
			insert.setLong(5, granted);
			insert.execute();
		}
	}

	/** Hears of grants, and from when the lease of the first one counts. */
	private static final class Calls implements WaitingCall.Owner {

		private final CompletableFuture<Long> since = new CompletableFuture<>();

		private final List<Long> granted = new CopyOnWriteArrayList<>();

		@Override
		public void granted(WaitingCall waiter, long granted, long since) {
			this.since.complete(since);
			this.granted.add(waiter.entry());
		}

		@Override
		public void serve(String key) {
			throw new AssertionError();
		}

		@Override
		public void enterAgain(WaitingCall waiter) {
			throw new AssertionError();
		}

	}

}
