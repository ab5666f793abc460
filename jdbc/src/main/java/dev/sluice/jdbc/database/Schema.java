package dev.sluice.jdbc.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/** Tables and functions of the store. */
public final class Schema {

	public static final int VERSION = 1;

	/** Any number, by which nodes take turns to run the script. */
	private static final long LOCK = 0x736c75696365L;

	private static final List<String> RATES = List.of("sluice_key");

	private final DataSource source;

	private final @Nullable String schema;

	public Schema(DataSource source, @Nullable String schema) {
		this.source = source;
		this.schema = schema;
	}

	/** Runs the script; in one transaction, and by one node at a time. */
	public void create(String script, boolean unlogged) throws SQLException {
		try (Connection connection = this.source.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			connection.setAutoCommit(false);
			try (Statement statement = connection.createStatement()) {
				statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
				if (this.schema != null) {
					statement.execute("CREATE SCHEMA IF NOT EXISTS " + quoted());
					statement.execute("SET LOCAL search_path = " + quoted());
				}
				statement.execute("SET LOCAL client_min_messages = warning");
				statement.execute(script);
				for (String table : RATES) {
					statement.execute("ALTER TABLE " + table + " SET " + (unlogged ? "UNLOGGED" : "LOGGED"));
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
	}

	/** Returns the version that is there; throws if there is none. */
	public int version() throws SQLException {
		try (Connection connection = this.source.getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT max(version) FROM " + prefix() + "sluice_version")) {
			return row.next() ? row.getInt(1) : 0;
		}
	}

	/** Returns what names begin with: nothing, or the schema and a dot. */
	public String prefix() {
		return (this.schema != null) ? quoted() + '.' : "";
	}

	private String quoted() {
		return '"' + this.schema + '"';
	}

	/** Reads a script beside a class. */
	public static String read(Class<?> beside, String name) {
		try (InputStream script = beside.getResourceAsStream(name)) {
			if (script == null) {
				throw new IllegalStateException("The script '" + name + "' is missing");
			}
			return new String(script.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
