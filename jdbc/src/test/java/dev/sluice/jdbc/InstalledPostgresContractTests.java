package dev.sluice.jdbc;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** The server of this machine, such as PostgreSQL 15 of Debian 12. */
@Tag("full")
@EnabledIf("isInstalled")
class InstalledPostgresContractTests extends JdbcContractTests {

	private InstalledPostgres server;

	static boolean isInstalled() {
		return InstalledPostgres.binaries().isPresent();
	}

	@Override
	@BeforeAll
	void start() throws IOException {
		this.server = InstalledPostgres.start();
		super.start();
	}

	@Override
	String url() {
		return this.server.url();
	}

	@Override
	@AfterAll
	void stop() throws IOException {
		super.stop();
		this.server.close();
	}

}
