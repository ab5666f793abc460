package dev.sluice.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** The one server of the tests of this JVM. */
public final class PostgresServer {

	private static final EmbeddedPostgres SERVER = start();

	private PostgresServer() {
	}

	private static EmbeddedPostgres start() {
		try {
			return EmbeddedPostgres.builder()
				.setServerConfig("max_connections", "100")
				.setServerConfig("fsync", "off")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String url() {
		return SERVER.getJdbcUrl("postgres", "postgres");
	}

	static String newSchema() {
		return "écluse \"" + UUID.randomUUID();
	}

	public static HikariDataSource pool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url());
		pool.setMaximumPoolSize(6);
		return pool;
	}

}
