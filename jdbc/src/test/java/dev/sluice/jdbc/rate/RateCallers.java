package dev.sluice.jdbc.rate;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.test.trial.RateTrial;
import dev.sluice.throttle.Limit;

/**
 * A node with callers of a rate. As a process: where the server is, the schema, which
 * rate, milliseconds, hours by which its clock is wrong.
 */
final class RateCallers implements AutoCloseable {

	private static final int CALLERS = 16;

	private final HikariDataSource pool;

	private final JdbcThrottleStore store;

	private final RateTrial trial;

	RateCallers(String url, String schema, Limit limit, int hours) {
		this.pool = PostgresServer.pool(url);
		this.store = JdbcThrottleStore.builder(this.pool)
			.schema(schema)
			.initializeSchema(true)
			.timeout(Duration.ofSeconds(60))
			.build();
		this.trial = new RateTrial(this.store, limit, hours, CALLERS);
	}

	public static void main(String[] args) throws Exception {
		Limit limit = RateTrial.RATES.get(Integer.parseInt(args[2]));
		try (RateCallers callers = new RateCallers(args[0], args[1], limit, Integer.parseInt(args[4]))) {
			callers.trial.callWhenTold(Duration.ofMillis(Integer.parseInt(args[3])));
		}
	}

	RateTrial trial() {
		return this.trial;
	}

	@Override
	public void close() {
		this.store.close();
		this.pool.close();
	}

}
