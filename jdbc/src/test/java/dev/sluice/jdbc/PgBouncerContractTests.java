package dev.sluice.jdbc;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A server behind PgBouncer, which gives each transaction another connection: so nobody
 * listens, and no statement is prepared on the server.
 */
@Tag("full")
@EnabledIf("isInstalled")
class PgBouncerContractTests extends JdbcContractTests {

	private PgBouncer bouncer;

	static boolean isInstalled() {
		return PgBouncer.isInstalled();
	}

	@Override
	@BeforeAll
	void start() throws IOException {
		this.bouncer = PgBouncer.start();
		super.start();
	}

	@Override
	String url() {
		return this.bouncer.url() + "&prepareThreshold=0";
	}

	@Override
	JdbcThrottleStore.Builder configured(JdbcThrottleStore.Builder store) {
		return store.listen(false);
	}

	@Override
	@AfterAll
	void stop() throws IOException {
		super.stop();
		this.bouncer.close();
	}

}
