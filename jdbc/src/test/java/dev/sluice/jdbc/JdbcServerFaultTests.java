package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/** What calls see while the server gives statements up, stops, or is replaced. */
class JdbcServerFaultTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final long PATIENCE = 60;

	static boolean isInstalled() {
		return InstalledPostgres.binaries().isPresent();
	}

	@Test
	@Timeout(120)
	void statementThatTheServerGivesUpEndsOneCallAndNoOther() throws Exception {
		String schema = PostgresServer.newSchema();
		try (HikariDataSource pool = PostgresServer.pool();
				Connection other = DriverManager.getConnection(PostgresServer.url());
				JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
					.schema(schema)
					.initializeSchema(true)
					.timeout(Duration.ofSeconds(2))
					.build()) {
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			Throttle rate = node.addOrUpdate("rate", Limit.slidingLog(3, LONG));
			assertThat(rate.tryAcquire("k").admitted()).isTrue();
			other.setSchema(schema);
			other.setAutoCommit(false);
			try (Statement statement = other.createStatement()) {
				statement.execute("SELECT FROM sluice_rate FOR UPDATE");

				assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
				assertThat(rate.tryAcquire("other").admitted()).isTrue();
				assertThat(store.snapshot().unavailable()).isFalse();
				other.rollback();
			}

			assertThat(rate.tryAcquire("k", 2).admitted()).isTrue();
			assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		}
	}

	@Test
	@Tag("full")
	@EnabledIf("isInstalled")
	@Timeout(180)
	void nothingHangsWhileNobodyAcceptsConnections() throws Exception {
		try (InstalledPostgres server = InstalledPostgres.start();
				HikariDataSource pool = PostgresServer.pool(server.url() + "&connectTimeout=1&loginTimeout=1");
				JdbcThrottleStore store = store(pool)) {
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			Throttle rate = node.addOrUpdate("rate", Limit.slidingLog(3, LONG));
			Throttle mutex = node.addOrUpdate("mutex", Limit.mutex());
			assertThat(rate.tryAcquire("k").admitted()).isTrue();
			Permit held = mutex.tryAcquire("k").permit();
			CompletableFuture<Void> lost = new CompletableFuture<>();
			held.onLost(() -> lost.complete(null));
			try (Connection other = DriverManager.getConnection(server.url())) {
				server.process().pause();
				assertThat(rate.tryAcquire("k").admitted()).as("Connections that are there go on").isTrue();

				terminateOthers(other);
				soon().until(() -> rate.tryAcquire("k").reason() == Decision.Reason.STORE);
				long before = System.nanoTime();
				CompletableFuture<Permit> call = mutex.acquire("other", 1, Duration.ofMillis(100));
				assertThat(call.handle((permit, failure) -> failure != null).get(PATIENCE, TimeUnit.SECONDS)).isTrue();
				assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
				lost.get(PATIENCE, TimeUnit.SECONDS);
			}
			finally {
				server.process().goOn();
			}

			soon().until(() -> !store.snapshot().unavailable());
			soon().until(() -> rate.tryAcquire("k").reason() == Decision.Reason.LIMIT);
			assertThat(rate.state("k").used()).isEqualTo(3);
			mutex.acquire("k", 1, LONG).get(PATIENCE, TimeUnit.SECONDS).close();
		}
	}

	@Test
	@Tag("full")
	@EnabledIf("isInstalled")
	@Timeout(240)
	void limitsGoOnAtTheStandbyThatIsPromoted() throws Exception {
		InstalledPostgres primary = InstalledPostgres.start();
		try (InstalledPostgres standby = primary.startStandby()) {
			String url = "jdbc:postgresql://" + primary.address() + ',' + standby.address()
					+ "/postgres?user=postgres&targetServerType=primary&connectTimeout=1&loginTimeout=2";
			try (HikariDataSource pool = PostgresServer.pool(url);
					HikariDataSource otherPool = PostgresServer.pool(url);
					JdbcThrottleStore store = store(pool);
					JdbcThrottleStore otherStore = store(otherPool)) {
				ThrottlingManager node = ThrottlingManager.builder().store(store).build();
				Throttle rate = node.addOrUpdate("rate", Limit.slidingLog(10, LONG));
				Throttle mutex = node.addOrUpdate("mutex", Limit.mutex(),
						LimitOptions.builder().lease(Duration.ofMinutes(2)).build());
				assertThat(rate.tryAcquire("k", 4).admitted()).isTrue();
				Permit held = mutex.tryAcquire("k").permit();
				AtomicBoolean lost = new AtomicBoolean();
				held.onLost(() -> lost.set(true));
				CompletableFuture<Permit> waiting = ThrottlingManager.builder()
					.store(otherStore)
					.build()
					.get("mutex")
					.acquire("k", 1, LONG);
				soon().until(() -> mutex.state("k").waiting() == 1);
				awaitReplay(primary);

				primary.process().kill();
				promote(standby);

				soon().until(() -> !store.snapshot().unavailable() && !otherStore.snapshot().unavailable()
						&& rate.state("k").used() == 4);
				assertThat(rate.tryAcquire("k", 7).admitted()).isFalse();
				assertThat(rate.tryAcquire("k", 6).admitted()).isTrue();
				assertThat(mutex.tryAcquire("k").admitted()).isFalse();
				assertThat(lost).isFalse();
				held.close();
				if (!waiting.handle((permit, failure) -> failure != null).get(PATIENCE, TimeUnit.SECONDS)) {
					assertThat(waiting.join().fencingToken().getAsLong())
						.isGreaterThan(held.fencingToken().getAsLong());
				}
			}
		}
		finally {
			primary.close();
		}
	}

	private static JdbcThrottleStore store(HikariDataSource pool) {
		pool.setConnectionTimeout(1_000);
		return JdbcThrottleStore.builder(pool)
			.initializeSchema(true)
			.timeout(Duration.ofSeconds(2))
			.lease(Duration.ofSeconds(4))
			.build();
	}

	private static void terminateOthers(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
					+ "AND backend_type = 'client backend'");
		}
	}

	/** Waits until the standby has all that there is. */
	private static void awaitReplay(InstalledPostgres primary) throws SQLException {
		try (Connection connection = DriverManager.getConnection(primary.url());
				Statement statement = connection.createStatement()) {
			String now;
			try (ResultSet row = statement.executeQuery("SELECT pg_current_wal_insert_lsn()")) {
				row.next();
				now = row.getString(1);
			}
			soon().until(() -> {
				try (ResultSet row = statement.executeQuery(
						"SELECT coalesce(max(replay_lsn) >= '" + now + "', false) FROM pg_stat_replication")) {
					row.next();
					return row.getBoolean(1);
				}
			});
		}
	}

	private static void promote(InstalledPostgres standby) throws SQLException {
		try (Connection connection = DriverManager.getConnection(standby.url());
				Statement statement = connection.createStatement()) {
			statement.execute("SELECT pg_promote()");
		}
	}

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(Duration.ofSeconds(PATIENCE)).pollInterval(Duration.ofMillis(50));
	}

}
