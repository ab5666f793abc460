package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Statements that take longer than the timeout, and what the server has of them. */
class JdbcCancelTests {

	/**
	 * In simple mode the server has both statements as one, and the timeout that the
	 * first one sets does not end the second one: the driver cancels it.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "extended", "simple" })
	void statementThatTakesTooLongEndsAtTheServer(String mode) throws Exception {
		String schema = PostgresServer.newSchema();
		String name = "cancelled-" + mode;
		String url = PostgresServer.url() + "&ApplicationName=" + name + "&preferQueryMode=" + mode;
		try (HikariDataSource pool = PostgresServer.pool(url);
				JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
					.schema(schema)
					.initializeSchema(true)
					.timeout(Duration.ofSeconds(1))
					.build();
				Connection operator = DriverManager.getConnection(PostgresServer.url());
				Statement statement = operator.createStatement()) {
			Throttle rate = ThrottlingManager.builder()
				.store(store)
				.build()
				.addOrUpdate("rate", Limit.fixedWindow(1_000, Duration.ofDays(1)));
			assertThat(rate.tryAcquire("k").admitted()).isTrue();
			operator.setSchema(schema);
			statement.execute("CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
					+ "$$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$");
			statement.execute("CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON sluice_rate "
					+ "FOR EACH STATEMENT EXECUTE FUNCTION slow()");

			assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			await().atMost(Duration.ofSeconds(5)).until(() -> sleeping(statement, name) == 0);

			statement.execute("DROP FUNCTION slow() CASCADE");
			await().until(() -> rate.tryAcquire("k").admitted());
		}
	}

	private static int sleeping(Statement statement, String name) throws SQLException {
		try (ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
				+ " AND application_name = '" + name + "'")) {
			row.next();
			return row.getInt(1);
		}
	}

}
