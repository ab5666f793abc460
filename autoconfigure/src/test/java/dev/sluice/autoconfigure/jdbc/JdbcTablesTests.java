package dev.sluice.autoconfigure.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.autoconfigure.fixture.PageTable;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties;
import dev.sluice.jdbc.Durability;
import dev.sluice.jdbc.JdbcAccessException;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * The tables of {@code docs/jdbc.md}, beside what two nodes do over a real PostgreSQL.
 */
class JdbcTablesTests {

	private static final Duration LEASE = Duration.ofSeconds(5);

	private static EmbeddedPostgres server;

	private static Node first;

	private static Node second;

	@BeforeAll
	static void start() throws IOException {
		server = EmbeddedPostgres.start();
		first = new Node();
		second = new Node();
	}

	@AfterAll
	static void stop() throws IOException {
		first.close();
		second.close();
		server.close();
	}

	@TestFactory
	Stream<DynamicTest> promises() {
		return PageTable.of("jdbc.md", "promise | in PostgreSQL")
			.row("the bound of each limit holds over all nodes | a decision is one statement, which locks the row of the key "
					+ "and uses `clock_timestamp()` of the server; the clocks of nodes do not matter",
					JdbcTablesTests::boundHoldsOverAllNodes,
					"SluiceJdbcAutoConfigurationTests#clocksOfNodesDoNotMatter")
			.row("the waiting line is first come, first served over all nodes | a permit that is released goes to the "
					+ "first waiter in the same step", JdbcTablesTests::lineIsServedInOrder)
			.row("a permit of a mutex or semaphore is a lease | its node renews it; when the node dies, it is free after "
					+ "at most one `lease`, and a node that cannot renew it calls `permit.onLost(action)`",
					JdbcTablesTests::permitOfANodeThatStopsIsFreeAfterALease)
			.row("fencing tokens of a key grow with each grant | the same; they are never lost, as concurrency limits are "
					+ "durable", JdbcTablesTests::tokensGrow)
			.row("a change of a limit reaches all nodes | the same; a change that is made after another one replaces it, "
					+ "and what was used stays used", JdbcTablesTests::changeReachesAllNodes)
			.row("a limit that one node defines is found by all | the first call for its name asks the database once",
					JdbcTablesTests::limitIsFoundByAll)
			.row("counts at `/actuator/throttling` are those of all nodes | the same, a second or so old",
					JdbcTablesTests::countsAreThoseOfAllNodes)
			.row("each limit has a failure policy, with local shares of the nodes that live | the same: "
					+ "`sluice.store.jdbc.failure-policy`, or the `failure-policy` of a limit",
					"SluiceJdbcAutoConfigurationTests#failurePolicyIsThatOfTheStoreUnlessTheLimitHasOne")
			.row("a permit that is closed never blocks | the same: its release is sent by the store",
					JdbcTablesTests::closingDoesNotBlock)
			.row("`tryAcquire` blocks until the answer, and at most for `timeout` | the same: `sluice.store.jdbc.timeout`",
					"SluiceJdbcAutoConfigurationTests#applicationStartsWhileTheDatabaseIsAway")
			.row("meters, health and endpoint | the same: `sluice.store.*`, the component `sluice`, `/actuator/throttling`",
					"SluiceJdbcAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> modesOfInitialization() {
		PageTable table = PageTable.of("jdbc.md", "`initialize-schema` | they are created");
		assertThat(table.rows()).extracting((row) -> row.get(0))
			.containsExactlyElementsOf(names(SluiceStoreProperties.InitializeSchema.values()));
		return table
			.row("`embedded` | never: PostgreSQL does not count as an embedded database",
					"SluiceJdbcAutoConfigurationTests#missingFunctionsEndTheStart")
			.row("`always` | at each start, where they are missing or old",
					"SluiceJdbcAutoConfigurationTests#applicationsShareTheirLimits")
			.row("`never` | never: a migration of the application does it",
					"SluiceJdbcAutoConfigurationTests#migrationOfTheApplicationCreatesThem")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> durabilities() {
		PageTable table = PageTable.of("jdbc.md", "`durability` | a crash of the server forgets, of rates");
		assertThat(table.rows()).extracting((row) -> row.get(0)).containsExactlyElementsOf(names(Durability.values()));
		return table
			.row("`full` | nothing | a write to the disk for each decision",
					"SluiceJdbcAutoConfigurationTests#everyDurabilityIsAccepted")
			.row("`relaxed` | what was granted in its last second, at most: so much more may be granted, once | nothing",
					"SluiceJdbcAutoConfigurationTests#everyDurabilityIsAccepted")
			.row("`unlogged` | everything, as with Redis without persistence; a standby server has none either | nothing, "
					+ "and writes no log for it", "SluiceJdbcAutoConfigurationTests#everyDurabilityIsAccepted")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> eventsOfPostgreSql() {
		return PageTable.of("jdbc.md", "what happens | what calls see")
			.row("it cannot be connected to, when a node starts or later | the node starts; the policy decides",
					"SluiceJdbcAutoConfigurationTests#applicationStartsWhileTheDatabaseIsAway")
			.row("the connections are terminated, or the server restarts | the policy, at once; then the limits go on from "
					+ "what was used", JdbcTablesTests::limitsGoOnWhenConnectionsAreTerminated)
			.row("all connections of the application are taken | nothing: the store has its own",
					"SluiceJdbcAutoConfigurationTests#storeHasAPoolOfItsOwn")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> states() {
		PageTable table = PageTable.of("jdbc.md", "SQLSTATE | cause");
		List<String> immediate = List.of("08006", "25006", "53100", "53300", "57P01", "58030", "XX001");
		List<String> permanent = List.of("08004", "28P01", "28000", "3D000", "3F000", "42501", "42703", "42883",
				"42P01");
		return table.row(
				"08, 25006, 53, 57P, 58, XX | no connection, read-only, disk full, too many connections, shutdown | counts "
						+ "as unavailable at once",
				() -> immediate.forEach((state) -> assertFailures(state, 1)))
			.row("08004, 28, 3D, 3F, 42501, 42703, 42883, 42P01 | role, password, database, schema, right, function or table "
					+ "| ends the start; later it counts as unavailable", () -> permanent.forEach((state) -> {
						assertThatThrownBy(() -> store(failing(() -> state)).close())
							.isInstanceOf(JdbcAccessException.class)
							.hasMessageContaining(state);
						assertFailures(state, 1);
					}))
			.row("55P03, 57014, or no answer in time | a lock, or a statement that takes too long | counts as unavailable when "
					+ "five of the last ten statements failed so", () -> {
						assertFailures("55P03", 5);
						assertFailures("57014", 5);
					})
			.row("all others | the statement | rejects that call by its policy",
					() -> List.of("40001", "40P01", "P0001").forEach((state) -> assertFailures(state, 0)))
			.tests();
	}

	/**
	 * Asserts that the database counts as unavailable after some failures at most, or
	 * after none if that is 0.
	 */
	private static void assertFailures(String state, int most) {
		AtomicReference<String> failure = new AtomicReference<>("");
		try (JdbcThrottleStore store = store(failing(failure::get))) {
			Throttle rate = ThrottlingManager.builder()
				.store(store)
				.build()
				.addOrUpdate("states", Limit.slidingLog(1, Duration.ofHours(1)));
			failure.set(state);
			int calls = 0;
			while (!store.snapshot().unavailable() && calls < ((most > 0) ? most : 20)) {
				assertThat(rate.tryAcquire("k").reason()).as(state).isEqualTo(Decision.Reason.STORE);
				calls++;
			}
			assertThat(store.snapshot().unavailable()).as(state).isEqualTo(most > 0);
		}
	}

	private static JdbcThrottleStore store(DataSource pool) {
		return JdbcThrottleStore.builder(pool)
			.schema("states")
			.initializeSchema(true)
			.listen(false)
			.timeout(Duration.ofSeconds(10))
			.build();
	}

	/** Returns a pool that fails with a state unless that is empty. */
	private static DataSource failing(Supplier<String> state) {
		return new PGSimpleDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				if (!state.get().isEmpty()) {
					throw new SQLException("It has failed", state.get());
				}
				return server.getPostgresDatabase().getConnection();
			}

		};
	}

	private static List<String> names(Enum<?>... values) {
		return Arrays.stream(values).map((value) -> '`' + value.name().toLowerCase(Locale.ROOT) + '`').toList();
	}

	private static void boundHoldsOverAllNodes() {
		List<Throttle> nodes = define("bound", Limit.slidingLog(5, Duration.ofHours(1)));
		assertThat(IntStream.range(0, 20).filter((call) -> nodes.get(call % 2).tryAcquire("k").admitted()).count())
			.isEqualTo(5);
	}

	private static void lineIsServedInOrder() {
		List<Throttle> nodes = define("line", Limit.mutex());
		Permit holder = nodes.get(0).tryAcquire("k").permit();
		Queue<Integer> served = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<Void>> waiters = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			int number = i;
			waiters.add(nodes.get(i % 2).acquire("k", 1, Duration.ofHours(1)).thenAccept((permit) -> {
				served.add(number);
				permit.close();
			}));
			await().until(() -> nodes.get(0).state("k").waiting() == number + 1);
		}
		holder.close();
		assertThat(CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)))
			.succeedsWithin(Duration.ofMinutes(2));
		assertThat(served).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
	}

	private static void permitOfANodeThatStopsIsFreeAfterALease() {
		Throttle mutex = define("lease", Limit.mutex()).get(1);
		Node third = new Node();
		Throttle stopped = third.manager.addOrUpdate("lease", Limit.mutex());
		assertThat(stopped.tryAcquire("k").admitted()).isTrue();
		assertThat(mutex.tryAcquire("k").admitted()).isFalse();
		third.pool.close();
		assertThat(mutex.acquire("k", 1, Duration.ofMinutes(1))).succeedsWithin(Duration.ofMinutes(2));
		third.close();
	}

	private static void tokensGrow() {
		List<Throttle> nodes = define("tokens", Limit.mutex());
		List<Long> tokens = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			Permit permit = nodes.get(i % 2).acquire("k", 1, Duration.ofMinutes(1)).join();
			tokens.add(permit.fencingToken().orElseThrow());
			permit.close();
		}
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
	}

	private static void changeReachesAllNodes() {
		List<Throttle> nodes = define("change", Limit.fixedWindow(1, Duration.ofHours(24)));
		assertThat(nodes.get(0).tryAcquire("k").admitted()).isTrue();
		assertThat(nodes.get(1).tryAcquire("k").admitted()).isFalse();
		first.manager.addOrUpdate("change", Limit.fixedWindow(2, Duration.ofHours(24)));
		await().until(() -> nodes.get(1).limit().maxPermits() == 2);
		assertThat(nodes.get(1).tryAcquire("k").admitted()).isTrue();
		assertThat(nodes.get(1).tryAcquire("k").admitted()).isFalse();
	}

	private static void limitIsFoundByAll() {
		assertThat(first.manager.addOrUpdate("found", Limit.slidingLog(1, Duration.ofHours(1))).tryAcquire().admitted())
			.isTrue();
		Decision decision = second.manager.tryAcquire(AcquireRequest.of("found"));
		assertThat(decision.reason()).isEqualTo(Decision.Reason.LIMIT);
	}

	private static void countsAreThoseOfAllNodes() {
		List<Throttle> nodes = define("counts", Limit.slidingLog(1, Duration.ofHours(1)));
		nodes.forEach(Throttle::tryAcquire);
		await().until(() -> nodes.stream()
			.allMatch((node) -> node.snapshot(0).admitted() == 1 && node.snapshot(0).rejected() == 1));
	}

	private static void closingDoesNotBlock() {
		List<Throttle> nodes = define("closing", Limit.mutex());
		Permit permit = nodes.get(0).tryAcquire("k").permit();
		execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
				+ "AND backend_type = 'client backend'");
		permit.close();
		await().atMost(Duration.ofMinutes(1)).until(() -> nodes.get(1).tryAcquire("k").admitted());
	}

	private static void limitsGoOnWhenConnectionsAreTerminated() {
		List<Throttle> nodes = define("terminated", Limit.slidingLog(2, Duration.ofHours(1)));
		assertThat(nodes.get(0).tryAcquire("k").admitted()).isTrue();
		execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
				+ "AND backend_type = 'client backend'");
		await().atMost(Duration.ofMinutes(1))
			.until(() -> nodes.get(1).tryAcquire("k").reason(), (reason) -> reason != Decision.Reason.STORE);
		await().atMost(Duration.ofMinutes(1))
			.until(() -> nodes.get(0).tryAcquire("k").reason(), Decision.Reason.LIMIT::equals);
	}

	private static List<Throttle> define(String name, Limit limit) {
		return Stream.of(first, second).map((node) -> node.manager.addOrUpdate(name, limit)).toList();
	}

	private static void execute(String sql) {
		try (Connection connection = server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A node with a pool of its own. */
	private static final class Node implements AutoCloseable {

		private final HikariDataSource pool = new HikariDataSource();

		private final JdbcThrottleStore store;

		private final ThrottlingManager manager;

		Node() {
			this.pool.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
			this.pool.setMaximumPoolSize(4);
			this.pool.setConnectionTimeout(TimeUnit.SECONDS.toMillis(10));
			this.store = JdbcThrottleStore.builder(this.pool)
				.initializeSchema(true)
				.timeout(Duration.ofSeconds(10))
				.lease(LEASE)
				.build();
			this.manager = ThrottlingManager.builder().store(this.store).build();
		}

		@Override
		public void close() {
			this.store.close();
			this.pool.close();
		}

	}

}
