package dev.sluice.jdbc.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** Tables and functions that the store needs. */
public final class Schema {

	/** Version of the functions that this version of the store calls. */
	public static final int VERSION = 7;

	private static final String SCRIPT = "/dev/sluice/jdbc/schema-postgresql.sql";

	private static final long LOCK = 0x736c75696365L;

	private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

	private final String name;

	/**
	 * Creates an instance for a schema.
	 * @param name the name of the schema; empty for the search path
	 */
	public Schema(String name) {
		this.name = name;
	}

	/**
	 * Checks whether the store can use the tables and functions of the database. If
	 * requested, this method creates them first.
	 * @param connection a connection
	 * @param create whether to create tables and functions that are missing or old
	 * @param logged whether the server is to write the table of rates to its log
	 * @return the problem and its remedy, or {@code null} if there is no problem
	 * @throws SQLException if a statement fails
	 */
	public @Nullable String prepare(Connection connection, boolean create, boolean logged) throws SQLException {
		if (create) {
			create(connection, logged);
		}
		int version = version(connection);
		if (version != VERSION) {
			return ((version == 0) ? "The tables and functions of Sluice are missing"
					: "The tables and functions of Sluice have version " + version + ", not " + VERSION)
					+ (this.name.isEmpty() ? "" : " in schema '" + this.name + "'")
					+ ". Run dev/sluice/jdbc/schema-postgresql.sql of sluice-jdbc as a migration, or let the store"
					+ " initialize the schema";
		}
		if (isLogged(connection) != logged) {
			return "The table sluice_rate " + (logged ? "is unlogged" : "is logged")
					+ ", which is not the durability that is configured. Configure it, or, if no other application "
					+ "uses the table, run ALTER TABLE sluice_rate SET " + (logged ? "LOGGED" : "UNLOGGED");
		}
		return null;
	}

	/**
	 * Returns the version of the functions in the database, or 0 if they are missing.
	 */
	private int version(Connection connection) throws SQLException {
		String table = (this.name.isEmpty() ? "" : Text.quoted(this.name) + ".") + "sluice_schema";
		try (Statement statement = connection.createStatement()) {
			try (ResultSet found = statement
				.executeQuery("SELECT to_regclass('" + table.replace("'", "''") + "') IS NOT NULL")) {
				found.next();
				if (!found.getBoolean(1)) {
					return 0;
				}
			}
			try (ResultSet version = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + table)) {
				version.next();
				return version.getInt(1);
			}
		}
	}

	/** Creates tables and functions that are missing or old, one node at a time. */
	private void create(Connection connection, boolean logged) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute("SET LOCAL lock_timeout = " + LOCK_TIMEOUT.toMillis());
			statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
			int version = version(connection);
			if (version < VERSION) {
				if (!this.name.isEmpty()) {
					if (!hasSchema(connection)) {
						statement.execute("CREATE SCHEMA " + Text.quoted(this.name));
					}
					statement.execute("SET LOCAL search_path TO " + Text.quoted(this.name));
				}
				statement.execute(script());
				if (version == 0 && !logged) {
					statement.execute("ALTER TABLE sluice_rate SET UNLOGGED");
				}
			}
			connection.commit();
		}
		catch (SQLException ex) {
			connection.rollback();
			throw ex;
		}
		finally {
			connection.setAutoCommit(autoCommit);
		}
	}

	/**
	 * Returns whether the schema exists. {@code CREATE SCHEMA IF NOT EXISTS} would
	 * require a right even if it does.
	 */
	private boolean hasSchema(Connection connection) throws SQLException {
		try (PreparedStatement statement = connection
			.prepareStatement("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ?)")) {
			statement.setString(1, this.name);
			try (ResultSet exists = statement.executeQuery()) {
				exists.next();
				return exists.getBoolean(1);
			}
		}
	}

	/** Returns whether the server writes the table of rates to its log. */
	private boolean isLogged(Connection connection) throws SQLException {
		String table = (this.name.isEmpty() ? "" : Text.quoted(this.name) + ".") + "sluice_rate";
		try (Statement statement = connection.createStatement();
				ResultSet persistence = statement.executeQuery("SELECT relpersistence = 'p' FROM pg_class WHERE oid = '"
						+ table.replace("'", "''") + "'::regclass")) {
			persistence.next();
			return persistence.getBoolean(1);
		}
	}

	private static String script() {
		try (InputStream script = Objects.requireNonNull(Schema.class.getResourceAsStream(SCRIPT))) {
			return new String(script.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
