package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows that no call uses again. */
class JdbcSweepTests {

	private static final int KEYS = 20_000;

	@Test
	void rowsThatAreOverAreRemovedAndNoOthers() throws SQLException {
		String schema = PostgresServer.newSchema();
		try (HikariDataSource pool = PostgresServer.pool();
				JdbcThrottleStore store = JdbcThrottleStore.builder(pool).schema(schema).initializeSchema(true).build();
				Connection connection = DriverManager.getConnection(PostgresServer.url());
				Statement statement = connection.createStatement()) {
			connection.setSchema(schema);
			insertKeys(statement, "old", KEYS, "sluice_now() - 1000000");
			insertKeys(statement, "used", 10, "sluice_now() + 3600000000");
			statement.execute("INSERT INTO sluice_hold VALUES ('dead', 1, 'r', 'k', 'o', 1, 1, 0, sluice_now() - 1), "
					+ "('alive', 1, 'r', 'k', 'o', 1, 1, 0, sluice_now() + 3600000000)");
			statement.execute("INSERT INTO sluice_line VALUES ('dead', 2, 'r', 'k', 'o', 1, 1, NULL, NULL)");
			statement.execute("INSERT INTO sluice_node VALUES ('dead', 0)");

			Awaitility.await().atMost(Duration.ofSeconds(18)).until(() -> count(statement, "sluice_rate") == 10);

			assertThat(count(statement, "sluice_hold")).isOne();
			assertThat(count(statement, "sluice_line")).isZero();
			assertThat(count(statement, "sluice_node WHERE node = 'dead'")).isZero();
			assertThat(store.snapshot().unavailable()).isFalse();
		}
	}

	private static void insertKeys(Statement statement, String name, int number, String ends) throws SQLException {
		statement.execute("INSERT INTO sluice_rate SELECT 'r', convert_to('" + name
				+ "' || i, 'UTF8'), 'W', 1, 1, '{1}', '{1}', 1, " + ends + ", 0, 1, 1, false FROM generate_series(1, "
				+ number + ") i");
	}

	private static long count(Statement statement, String table) throws SQLException {
		try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
			row.next();
			return row.getLong(1);
		}
	}

}
