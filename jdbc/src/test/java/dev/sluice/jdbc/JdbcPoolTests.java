package dev.sluice.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A pool that is handed over, which never resets its connections. */
class JdbcPoolTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final int SIZE = 4;

	private final String name = "pool_" + UUID.randomUUID().toString().substring(0, 8);

	private final String schema = PostgresServer.newSchema();

	private final List<Connection> connections = new ArrayList<>();

	private final List<BlockingQueue<Connection>> idle = new ArrayList<>();

	enum Setting {

		SERIALIZABLE, REPEATABLE_READ, NO_AUTOCOMMIT, READ_ONLY

	}

	@AfterEach
	void stop() throws SQLException {
		for (Connection connection : this.connections) {
			connection.close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void limitsWorkAndConnectionsKeepTheirSettings(Setting setting) throws Exception {
		try (JdbcThrottleStore store = builder(setting).build(); JdbcThrottleStore other = builder(setting).build()) {
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			Throttle rate = node.addOrUpdate("rate", Limit.slidingLog(200, LONG));
			Throttle elsewhere = ThrottlingManager.builder().store(other).build().get("rate");
			List<CompletableFuture<Permit>> calls = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				calls.add(rate.acquire("k", 1, Duration.ZERO));
				calls.add(elsewhere.acquire("k", 1, Duration.ZERO));
			}
			for (CompletableFuture<Permit> call : calls) {
				call.get(60, TimeUnit.SECONDS);
			}
			assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
			Throttle mutex = node.addOrUpdate("mutex", Limit.mutex());
			Permit held = mutex.tryAcquire("k").permit();
			CompletableFuture<Permit> next = mutex.acquire("k", 1, LONG);
			held.close();
			next.get(60, TimeUnit.SECONDS).close();
			assertThat(query("SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + this.name
					+ "' AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'"))
				.isEqualTo("0");
			assertThat(store.snapshot().failed()).isZero();
		}

		Awaitility.await().until(() -> this.idle.stream().allMatch((queue) -> queue.size() == SIZE));
		for (Connection connection : this.connections) {
			assertThat(connection.getAutoCommit()).isEqualTo(setting != Setting.NO_AUTOCOMMIT);
			assertThat(connection.isReadOnly()).isEqualTo(setting == Setting.READ_ONLY);
			assertThat(connection.getNetworkTimeout()).isZero();
			assertThat(connection.getTransactionIsolation()).isEqualTo(switch (setting) {
				case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
				case REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
				default -> Connection.TRANSACTION_READ_COMMITTED;
			});
			try (Statement statement = connection.createStatement();
					ResultSet row = statement.executeQuery("SELECT current_setting('statement_timeout')")) {
				row.next();
				assertThat(row.getString(1)).isEqualTo("0");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void durabilityIsEffective(Setting setting) throws Exception {
		builder(setting).durability(Durability.UNLOGGED).build().close();

		assertThat(query("SELECT relpersistence FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
				+ "WHERE relname = 'sluice_rate' AND nspname = '" + this.schema + "'"))
			.isEqualTo("u");
	}

	private JdbcThrottleStore.Builder builder(Setting setting) throws SQLException {
		return JdbcThrottleStore.builder(pool(setting))
			.schema(this.schema)
			.initializeSchema(true)
			.poolSize(SIZE)
			.timeout(Duration.ofSeconds(20));
	}

	private DataSource pool(Setting setting) throws SQLException {
		BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(SIZE);
		String options = switch (setting) {
			case SERIALIZABLE -> "&options=-c%20default_transaction_isolation=serializable";
			case REPEATABLE_READ -> "&options=-c%20default_transaction_isolation=repeatable%5C%20read";
			default -> "";
		};
		for (int i = 0; i < SIZE; i++) {
			Connection connection = DriverManager
				.getConnection(PostgresServer.url() + "&ApplicationName=" + this.name + options);
			connection.setAutoCommit(setting != Setting.NO_AUTOCOMMIT);
			connection.setReadOnly(setting == Setting.READ_ONLY);
			this.connections.add(connection);
			idle.add(connection);
		}
		this.idle.add(idle);
		return (DataSource) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { DataSource.class },
				(proxy, method, arguments) -> lease(idle, idle.poll(20, TimeUnit.SECONDS)));
	}

	private Connection lease(BlockingQueue<Connection> idle, Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("close")) {
						idle.add(connection);
						return null;
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private static String query(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(PostgresServer.url());
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

}
