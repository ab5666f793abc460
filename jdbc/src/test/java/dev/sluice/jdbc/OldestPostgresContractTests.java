package dev.sluice.jdbc;

import java.io.IOException;
import java.nio.file.Path;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The oldest server that is supported, PostgreSQL 13, from Maven Central. */
@Tag("full")
class OldestPostgresContractTests extends JdbcContractTests {

	/** Copied there by the build with {@code -Pfull}. */
	private static final Path BINARIES = Path.of("target", "postgres-13.jar");

	private EmbeddedPostgres server;

	@Override
	@BeforeAll
	void start() throws IOException {
		this.server = EmbeddedPostgres.builder()
			.setPgBinaryResolver((system, machine) -> PostgresServer.entry(BINARIES, ".txz"))
			.setServerConfig("max_connections", "100")
			.setServerConfig("fsync", "off")
			.start();
		super.start();
	}

	@Override
	String url() {
		return this.server.getJdbcUrl("postgres", "postgres");
	}

	@Override
	@AfterAll
	void stop() throws IOException {
		super.stop();
		this.server.close();
	}

}
