package dev.sluice.benchmarks.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.slf4j.LoggerFactory;

/** A PostgreSQL of our own, at defaults, with the data on the disk of this machine. */
final class Server implements AutoCloseable {

	/** The default of Hikari. */
	static final int POOL = 10;

	static {
		for (String talkative : List.of("io.zonky", "com.zaxxer")) {
			((Logger) LoggerFactory.getLogger(talkative)).setLevel(Level.WARN);
		}
	}

	private final EmbeddedPostgres server;

	Server() {
		try {
			this.server = EmbeddedPostgres.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Opens a pool whose commits do not wait for the disk. */
	HikariDataSource pool(int connections) {
		HikariConfig settings = new HikariConfig();
		settings.setJdbcUrl(this.server.getJdbcUrl("postgres", "postgres") + "&options=-c%20synchronous_commit=off");
		settings.setMaximumPoolSize(connections);
		return new HikariDataSource(settings);
	}

	void execute(String sql) {
		try (Connection connection = this.server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
