package dev.sluice.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.connection.Schema;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The functions of the database, and their version. */
class JdbcSchemaTests {

	private static final int LIMIT = 20;

	/** So long that nothing comes back meanwhile. */
	private static final Duration PERIOD = Duration.ofDays(9_000);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final String schema = PostgresServer.newSchema();

	private final HikariDataSource pool = PostgresServer.pool();

	private JdbcThrottleStore store;

	private ThrottlingManager node;

	@BeforeEach
	void start() {
		this.pool.setSchema(this.schema);
		this.store = builder().initializeSchema(true).build();
		this.node = ThrottlingManager.builder().store(this.store).build();
	}

	private JdbcThrottleStore.Builder builder() {
		return JdbcThrottleStore.builder(this.pool).schema(this.schema).timeout(Duration.ofSeconds(60));
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.pool.close();
	}

	static Stream<Limit> rates() {
		return Stream.of(Limit.slidingLog(LIMIT, PERIOD), Limit.fixedWindow(LIMIT, PERIOD),
				Limit.slidingWindow(LIMIT, PERIOD, 4), Limit.tokenBucket(LIMIT, LIMIT, PERIOD));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void oneUpdateGrantsWhatIsGrantedUnderLocks(Limit limit) throws SQLException {
		Throttle throttle = this.node.addOrUpdate("rate", limit);
		try (Connection connection = this.pool.getConnection()) {
			long version = version(connection);
			for (int seed = 0; seed < 20; seed++) {
				Random random = new Random(seed);
				for (int i = 0; i < 15; i++) {
					List<Long> permits = random.longs(random.nextInt(3) + 1, 1, 6).boxed().toList();
					List<Boolean> locked = take(connection, "locked" + seed, 0, permits, limit);
					List<Boolean> quick = take(connection, "quick" + seed, version, permits, limit);

					assertThat(quick).as("Call %d of seed %d: %s", i, seed, permits).isEqualTo(locked);
				}
				assertThat(throttle.state("quick" + seed).used()).isEqualTo(throttle.state("locked" + seed).used());
			}
		}
	}

	private static long version(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT version FROM sluice_limit")) {
			row.next();
			return row.getLong(1);
		}
	}

	/** Returns which of the calls were granted. */
	private static List<Boolean> take(Connection connection, String key, long version, List<Long> permits, Limit limit)
			throws SQLException {
		long together = permits.stream().mapToLong(Long::longValue).sum();
		try (PreparedStatement statement = connection.prepareStatement(
				"SELECT sluice_take(convert_to('rate', 'UTF8'), convert_to(?, 'UTF8'), ?, ?, ?, ?, ?, true)")) {
			statement.setString(1, key);
			statement.setLong(2, version);
			statement.setString(3, (limit instanceof Limit.TokenBucket) ? "T" : "W");
			statement.setLong(4, LIMIT);
			statement.setLong(5, together);
			statement.setArray(6, connection.createArrayOf("bigint", permits.toArray()));
			try (ResultSet row = statement.executeQuery()) {
				row.next();
				Array answer = row.getArray(1);
				Long[] numbers = (Long[]) answer.getArray();
				List<Boolean> granted = new ArrayList<>();
				for (int i = 0; i < permits.size(); i++) {
					granted.add(numbers.length == 2 || numbers[2 + 2 * i] == 0);
				}
				return granted;
			}
		}
	}

	@Test
	void windowsDoNotGrowWithWhatIsOver() throws SQLException {
		this.node.addOrUpdate("rate", Limit.slidingWindow(1_000_000, Duration.ofNanos(4_000), 4));
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			for (int i = 0; i < 40; i++) {
				assertThat(this.node.get("rate").tryAcquire("k").admitted()).isTrue();
			}
			try (ResultSet row = statement.executeQuery("SELECT cardinality(starts) FROM sluice_rate")) {
				row.next();
				assertThat(row.getInt(1)).isLessThan(20);
			}
		}
	}

	@Test
	void rejectionWritesNothing() throws SQLException {
		Throttle throttle = this.node.addOrUpdate("rate", Limit.slidingLog(1, PERIOD));
		throttle.tryAcquire("k");
		String before = row();

		assertThat(throttle.tryAcquire("k").admitted()).isFalse();

		assertThat(row()).isEqualTo(before);
	}

	/** Returns where the row is, and which transaction has written or locked it last. */
	private String row() throws SQLException {
		try (Connection connection = this.pool.getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT ctid || ' ' || xmin || ' ' || xmax FROM sluice_rate")) {
			row.next();
			return row.getString(1);
		}
	}

	@Test
	void smallCallDoesNotPassALargeOneThatWaits() {
		for (Limit limit : rates().toList()) {
			Throttle throttle = this.node.addOrUpdate(limit.type(), limit);
			assertThat(throttle.tryAcquire("k", 12).admitted()).isTrue();
			assertThat(throttle.tryAcquire("k", 3).admitted()).isTrue();
			CompletableFuture<Permit> large = throttle.acquire("k", 10, PERIOD);
			Awaitility.await().atMost(PATIENCE).until(() -> throttle.state("k").waiting() == 1);

			assertThat(throttle.tryAcquire("k").reason()).as(limit.type()).isEqualTo(Decision.Reason.LINE);

			large.cancel(false);
			Awaitility.await().atMost(PATIENCE).until(() -> throttle.tryAcquire("k").admitted());
			assertThat(throttle.tryAcquire("k", 4).admitted()).as(limit.type()).isTrue();
		}
	}

	@Test
	void changeHoldsAtOnceForNodesThatHaveNotHeardOfIt() {
		try (JdbcThrottleStore otherStore = builder().build()) {
			ThrottlingManager other = ThrottlingManager.builder().store(otherStore).build();
			for (Limit limit : rates().toList()) {
				Throttle throttle = this.node.addOrUpdate(limit.type(), limit);
				Throttle elsewhere = other.get(limit.type());
				assertThat(elsewhere.tryAcquire("k", 12).admitted()).isTrue();
				assertThat(elsewhere.tryAcquire("k", 1).admitted()).isTrue();
				throttle.tryAcquire("k");

				this.node.addOrUpdate(limit.type(), lowered(limit));

				assertThat(elsewhere.tryAcquire("k").admitted()).as(limit.type()).isFalse();
			}
		}
	}

	private static Limit lowered(Limit limit) {
		if (limit instanceof Limit.SlidingLog) {
			return Limit.slidingLog(14, PERIOD);
		}
		if (limit instanceof Limit.FixedWindow) {
			return Limit.fixedWindow(14, PERIOD);
		}
		return (limit instanceof Limit.SlidingWindow) ? Limit.slidingWindow(14, PERIOD, 4)
				: Limit.tokenBucket(14, 14, PERIOD);
	}

	@ParameterizedTest
	@CsvSource({ "rate,true,off", "rate,false,on", "mutex,true,on", "mutex,false,on" })
	void onlyRatesThatAreRelaxedDoNotWaitForTheDisk(String resource, boolean relaxed, String synchronous)
			throws SQLException {
		this.node.addOrUpdate("rate", Limit.slidingLog(LIMIT, PERIOD));
		this.node.addOrUpdate("mutex", Limit.mutex());
		String key = "convert_to('" + resource + "', 'UTF8'), convert_to('k', 'UTF8')";
		for (String function : List.of("sluice_enter(" + key + ", 'node', 1, 1, 'owner', 0, " + relaxed + ')',
				"sluice_serve(" + key + ", " + relaxed + ')')) {
			try (Connection connection = this.pool.getConnection();
					Statement statement = connection.createStatement()) {
				connection.setAutoCommit(false);
				statement.execute("SET LOCAL synchronous_commit = on");
				statement.execute("SELECT " + function);
				try (ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
					row.next();
					assertThat(row.getString(1)).as(function).isEqualTo(synchronous);
				}
				connection.rollback();
			}
		}
	}

	@Test
	void permitsThatAreToBeTakenAheadAreRejected() {
		Limit limit = Limit.tokenBucket(LIMIT, LIMIT, PERIOD);
		this.node.addOrUpdate("rate", limit, LimitOptions.builder().batch(1).build());

		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.node.addOrUpdate("rate", limit, LimitOptions.builder().batch(10).build()))
			.withMessageContaining("'batch' must be 1 in PostgreSQL");
	}

	@Test
	void oldFunctionsEndTheStart() throws SQLException {
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("UPDATE sluice_schema SET version = 1");
		}

		assertThatThrownBy(() -> builder().build()).isInstanceOf(JdbcSchemaException.class)
			.hasMessageContaining("have version 1, not " + Schema.VERSION)
			.hasMessageContaining("schema-postgresql.sql");
	}

	@Test
	void oldFunctionWithOtherColumnsIsReplaced() throws SQLException {
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("DROP FUNCTION sluice_places(text)");
			statement.execute("CREATE FUNCTION sluice_places(p_node text) RETURNS TABLE (entry bigint) "
					+ "LANGUAGE sql AS 'SELECT entry FROM sluice_line WHERE node = p_node'");
			statement.execute("UPDATE sluice_schema SET version = 6");
		}

		builder().initializeSchema(true).build().close();

		try (Connection connection = this.pool.getConnection();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("SELECT * FROM sluice_places('node')")) {
			assertThat(rows.getMetaData().getColumnCount()).isEqualTo(4);
		}
	}

}
