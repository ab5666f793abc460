package dev.sluice.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Server that all tests of a process share. */
final class PostgresServer {

	private static final EmbeddedPostgres SERVER = start();

	private PostgresServer() {
	}

	private static EmbeddedPostgres start() {
		try {
			return EmbeddedPostgres.builder().setServerConfig("max_connections", "200").start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static DataSource source() {
		return SERVER.getPostgresDatabase();
	}

	static HikariDataSource pool(int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(source());
		pool.setMaximumPoolSize(size);
		return pool;
	}

}
