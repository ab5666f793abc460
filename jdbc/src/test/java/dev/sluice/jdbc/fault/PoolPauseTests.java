package dev.sluice.jdbc.fault;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A pool that doubles its pauses between failed attempts to connect. */
@Tag("hostile")
class PoolPauseTests {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/** Half a second, and what a busy machine takes. */
	private static final Duration SOON = Duration.ofMillis(1500);

	private final AtomicInteger attempts = new AtomicInteger();

	private final HikariDataSource pool = new HikariDataSource();

	private volatile boolean refused;

	private JdbcThrottleStore store;

	@BeforeEach
	void start() {
		this.pool.setDataSource((DataSource) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { DataSource.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "getConnection" -> connect();
					case "getLogWriter" -> new PrintWriter(System.err);
					case "getLoginTimeout" -> 0;
					default -> null;
				}));
		this.pool.setMaximumPoolSize(4);
		this.pool.setMinimumIdle(0);
		this.pool.setConnectionTimeout(TIMEOUT.toMillis());
		this.store = JdbcThrottleStore.builder(this.pool)
			.schema(PostgresServer.newSchema())
			.initializeSchema(true)
			.timeout(TIMEOUT)
			.build();
	}

	private Connection connect() throws SQLException {
		if (this.refused) {
			this.attempts.incrementAndGet();
			throw new SQLException("refused", "08001");
		}
		return DriverManager.getConnection(PostgresServer.url());
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.pool.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 600, 2700, 5300, 10_500, 12_000 })
	void databaseIsAvailableSoonAfterItsReturn(int millis) {
		refuse();
		await().pollDelay(Duration.ofMillis(millis)).atMost(Duration.ofMinutes(1)).until(() -> true);
		this.refused = false;

		long back = System.nanoTime();
		await().pollInterval(Duration.ofMillis(5)).until(() -> !this.store.snapshot().unavailable());
		long after = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - back);
		System.out.println("back " + after + " ms after " + millis + " ms, in which there were " + this.attempts
				+ " attempts to connect");
		assertThat(after).isLessThanOrEqualTo(TIMEOUT.plus(SOON).toMillis());
	}

	private void refuse() {
		this.refused = true;
		await().until(() -> {
			this.pool.getHikariPoolMXBean().softEvictConnections();
			return this.store.snapshot().unavailable();
		});
	}

}
