package dev.sluice.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Starts that trying again cannot help end with the problem; others do not end. */
class JdbcStartTests {

	private final String role = "start_" + UUID.randomUUID().toString().substring(0, 8);

	private final HikariDataSource pool = new HikariDataSource();

	@BeforeEach
	void createRole() throws SQLException {
		execute("CREATE ROLE %s LOGIN");
		this.pool.setJdbcUrl(url());
		this.pool.setConnectionTimeout(500);
		this.pool.setMinimumIdle(0);
		this.pool.setInitializationFailTimeout(-1);
	}

	private String url() {
		return PostgresServer.url().replace("user=postgres", "user=" + this.role);
	}

	@AfterEach
	void dropRole() throws SQLException {
		this.pool.close();
		execute("DROP OWNED BY %s CASCADE");
		execute("DROP ROLE %s");
	}

	@Test
	void schemaThatExistsNeedsNoRightOnTheDatabase() throws SQLException {
		execute("CREATE SCHEMA %s AUTHORIZATION %s");

		try (JdbcThrottleStore store = builder(this.pool).build()) {
			assertThat(store.snapshot().unavailable()).isFalse();
		}
	}

	@Test
	void roleThatMayNotCreateEndsTheStart() {
		assertThatThrownBy(builder(this.pool)::build).isInstanceOf(JdbcAccessException.class)
			.hasMessageContaining("42501")
			.hasMessageContaining("permission denied");
	}

	@Test
	void roleWithoutARightOnATableEndsTheStart() throws SQLException {
		execute("CREATE SCHEMA %s AUTHORIZATION %s");
		builder(this.pool).build().close();
		execute("REVOKE UPDATE ON %s.sluice_line FROM %s");

		assertThatThrownBy(builder(this.pool)::build).isInstanceOf(JdbcAccessException.class)
			.hasMessageContaining("sluice_line");
	}

	@Test
	void rightsOfTheManualSuffice() throws SQLException {
		try (HikariDataSource owner = PostgresServer.pool()) {
			JdbcThrottleStore.builder(owner).schema(this.role).initializeSchema(true).build().close();
		}
		execute("GRANT USAGE ON SCHEMA %s TO %s");
		execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO %s");
		execute("GRANT USAGE ON SEQUENCE %s.sluice_sequence TO %s");

		try (JdbcThrottleStore store = builder(this.pool).initializeSchema(false).build()) {
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			assertThat(node.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofDays(1))).tryAcquire().admitted())
				.isTrue();
			node.addOrUpdate("mutex", Limit.mutex()).tryAcquire().permit().close();
		}
		finally {
			execute("DROP SCHEMA %s CASCADE");
		}
	}

	@Test
	void roleThatTheServerRejectsEndsTheStart() throws SQLException {
		execute("ALTER ROLE %s NOLOGIN");

		assertThatThrownBy(builder(this.pool)::build).isInstanceOf(JdbcAccessException.class)
			.hasMessageContaining("28000");
	}

	@Test
	void databaseThatDoesNotExistEndsTheStart() {
		this.pool.setJdbcUrl(url().replace("/postgres?", "/nowhere?"));

		assertThatThrownBy(builder(this.pool)::build).isInstanceOf(JdbcAccessException.class)
			.hasMessageContaining("3D000");
	}

	@Test
	void serverWithoutAFreeConnectionDoesNotEndTheStart() throws SQLException {
		execute("ALTER ROLE %s CONNECTION LIMIT 0");

		try (JdbcThrottleStore store = builder(this.pool).build()) {
			assertThat(store.snapshot().unavailable()).isTrue();
		}
	}

	@Test
	void firstConnectionMayTakeLongerThanACall() throws SQLException {
		execute("CREATE SCHEMA %s AUTHORIZATION %s");
		try (HikariDataSource slow = new HikariDataSource()) {
			PGSimpleDataSource server = new PGSimpleDataSource();
			server.setUrl(url());
			slow.setDataSource(instead(server, (method) -> {
				if (method.equals("getConnection")) {
					LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
				}
			}));
			slow.setConnectionTimeout(250);
			slow.setMinimumIdle(0);
			slow.setInitializationFailTimeout(-1);
			try (JdbcThrottleStore store = builder(slow).build()) {
				assertThat(store.snapshot().unavailable()).isFalse();
			}
		}
	}

	@Test
	void connectionThatCannotBeSetAsNeededEndsTheStart() {
		DataSource readOnly = instead(this.pool, (method) -> {
			if (method.equals("setNetworkTimeout")) {
				throw new SQLFeatureNotSupportedException("no time-outs here");
			}
		});

		assertThatThrownBy(builder(readOnly)::build).isInstanceOf(JdbcAccessException.class)
			.hasMessageContaining("no time-outs here");
	}

	private JdbcThrottleStore.Builder builder(DataSource dataSource) {
		return JdbcThrottleStore.builder(dataSource).schema(this.role).initializeSchema(true);
	}

	/**
	 * Returns a pool that does something before each method of it and its connections.
	 */
	private static DataSource instead(DataSource pool, Action action) {
		ClassLoader loader = JdbcStartTests.class.getClassLoader();
		return (DataSource) Proxy.newProxyInstance(loader, new Class<?>[] { DataSource.class },
				(proxy, method, arguments) -> {
					if (!method.getName().equals("getConnection")) {
						return method.invoke(pool, arguments);
					}
					action.before(method.getName());
					Connection connection = pool.getConnection();
					return Proxy.newProxyInstance(loader, new Class<?>[] { Connection.class }, (same, each, values) -> {
						if (each.getName().startsWith("set")) {
							action.before(each.getName());
						}
						try {
							return each.invoke(connection, values);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
				});
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(PostgresServer.url());
				Statement statement = connection.createStatement()) {
			statement.execute(sql.formatted(this.role, this.role));
		}
	}

	private interface Action {

		void before(String method) throws SQLException;

	}

}
