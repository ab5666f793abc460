package dev.sluice.jdbc.throttle;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Notifications;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.failover.StoreTimer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Grants of which a node hears when their leases may be over. */
class WaitingCallsTests {

	private static final Duration LEASE = Duration.ofDays(1);

	private final String schema = PostgresServer.newSchema();

	private final HikariDataSource pool = PostgresServer.pool();

	private final StoreTimer timer = new StoreTimer("test-timer");

	private final Database database = new Database(this.pool, this.schema, Duration.ofSeconds(60), 1, this.timer);

	private final JdbcNode node = new JdbcNode(this.database, this.timer,
			new Notifications(this.pool, this.database, this.timer), LEASE, false);

	private WaitingCalls calls;

	private Permit held;

	private WaitingCall waiter;

	@BeforeEach
	void waitInLine() throws Exception {
		JdbcThrottleStore.builder(this.pool).schema(this.schema).initializeSchema(true).build().close();
		this.calls = new WaitingCalls(this.node,
				JdbcThrottle.open(this.node, "mutex", Limit.mutex(), LimitOptions.defaults()));
		this.held = acquire().get(60, TimeUnit.SECONDS);
		this.waiter = acquire();
		awaitPlace(0);
	}

	private WaitingCall acquire() {
		return (WaitingCall) this.calls.acquire(AcquireRequest.of("mutex", "k").maxWait(LEASE));
	}

	private void awaitPlace(long before) {
		Awaitility.await().until(() -> this.waiter.entry() != before && this.waiter.isPlaced());
	}

	@AfterEach
	void stop() {
		this.database.close();
		this.timer.shutdownNow();
		this.pool.close();
	}

	@Test
	void lateGrantThatIsNotThereAnyMoreSendsItsCallBackToTheLine() throws Exception {
		long before = this.waiter.entry();

		this.calls.granted(this.waiter, 1, System.nanoTime() - LEASE.toNanos());

		awaitPlace(before);
		assertThat(this.waiter).isNotDone();
		this.held.close();
		assertThat(this.waiter.get(60, TimeUnit.SECONDS).fencingToken().orElseThrow())
			.isGreaterThan(this.held.fencingToken().orElseThrow());
	}

	@Test
	void lateGrantThatIsThereStillIsRenewedAndHandedOver() throws Exception {
		grant(this.waiter);

		this.calls.granted(this.waiter, 7, System.nanoTime() - LEASE.toNanos());

		assertThat(this.waiter.get(60, TimeUnit.SECONDS).fencingToken()).hasValue(7);
	}

	@Test
	void grantThatOvertakesTheAnswerOfItsPlaceIsKept() throws Exception {
		WaitingCall overtaken;
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			connection.setSchema(this.schema);
			statement.execute("SELECT sluice_lock(convert_to('mutex', 'UTF8'), convert_to('k', 'UTF8'))");
			overtaken = acquire();
			grant(overtaken);
			this.calls.granted(overtaken, 7, System.nanoTime());
			connection.rollback();
		}

		assertThat(overtaken.get(60, TimeUnit.SECONDS).fencingToken()).hasValue(7);
		this.node.holdings().confirm(overtaken.entry()).get(60, TimeUnit.SECONDS);
		assertThat(this.node.holdings().confirm(overtaken.entry()).get(60, TimeUnit.SECONDS)).isTrue();
	}

	/** The database grants it token 7, of which the node does not hear. */
	private void grant(WaitingCall waiter) throws SQLException {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection.prepareStatement("INSERT INTO " + Text.quoted(this.schema)
						+ ".sluice_hold VALUES (?, ?, ?, ?, ?, 1, 7, 0, ?)")) {
			insert.setString(1, this.node.name());
			insert.setLong(2, waiter.entry());
			insert.setBytes(3, "mutex".getBytes(StandardCharsets.UTF_8));
			insert.setBytes(4, "k".getBytes(StandardCharsets.UTF_8));
			insert.setBytes(5, "owner".getBytes(StandardCharsets.UTF_8));
			insert.setLong(6, Long.MAX_VALUE);
			insert.execute();
		}
	}

}
