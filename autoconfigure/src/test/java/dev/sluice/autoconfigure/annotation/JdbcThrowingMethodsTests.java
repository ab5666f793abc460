package dev.sluice.autoconfigure.annotation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.autoconfigure.fixture.CuttableNetwork;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.store.ThrottleStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** {@link ThrowingMethodsContract} with limits in PostgreSQL. */
class JdbcThrowingMethodsTests extends ThrowingMethodsContract {

	private EmbeddedPostgres server;

	private CuttableNetwork network;

	private HikariDataSource pool;

	private JdbcThrottleStore store;

	@Override
	ThrottleStore store() {
		try {
			this.server = EmbeddedPostgres.start();
			this.network = new CuttableNetwork(this.server.getPort());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.pool = new HikariDataSource();
		this.pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + this.network.port() + "/postgres?user=postgres");
		this.pool.setConnectionTimeout(1_000);
		this.store = JdbcThrottleStore.builder(this.pool)
			.initializeSchema(true)
			.timeout(Duration.ofSeconds(2))
			.lease(LEASE)
			.build();
		return this.store;
	}

	@Override
	void stopStore() throws Exception {
		this.store.close();
		this.pool.close();
		this.network.close();
		this.server.close();
	}

	@Override
	void cut() {
		this.network.cut();
	}

	@Override
	void repair() {
		this.network.repair();
	}

	@Override
	int step() {
		return 41;
	}

}
