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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/** Settings of a transaction where connections of the server are those of others, too. */
@Tag("full")
@EnabledIf("isInstalled")
class PgBouncerSettingsTests {

	static boolean isInstalled() {
		return PgBouncer.isInstalled();
	}

	@Test
	void timeOutsAreThoseOfTheStoreAndOfNoOther() throws Exception {
		String schema = PostgresServer.newSchema();
		try (PgBouncer bouncer = PgBouncer.start();
				HikariDataSource pool = PostgresServer.pool(bouncer.url() + "&prepareThreshold=0");
				JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
					.schema(schema)
					.initializeSchema(true)
					.listen(false)
					.build();
				Connection other = DriverManager.getConnection(bouncer.url() + "&prepareThreshold=0");
				Connection locking = DriverManager.getConnection(PostgresServer.url())) {
			Throttle rate = ThrottlingManager.builder()
				.store(store)
				.build()
				.addOrUpdate("rate", Limit.fixedWindow(1_000, Duration.ofDays(1)));
			for (int i = 0; i < 20; i++) {
				assertThat(rate.tryAcquire("k").admitted()).isTrue();
				assertThat(timeOuts(other)).isEqualTo("0 0");
			}
			locking.setSchema(schema);
			locking.setAutoCommit(false);
			try (Statement statement = locking.createStatement()) {
				statement.execute("LOCK TABLE sluice_rate");
			}
			assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			locking.rollback();

			assertThat(rate.tryAcquire("k").admitted()).isTrue();
			assertThat(timeOuts(other)).isEqualTo("0 0");
		}
	}

	private static String timeOuts(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(
						"SELECT current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')")) {
			row.next();
			return row.getString(1);
		}
	}

}
