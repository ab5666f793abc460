package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/** Calls of functions, with settings of the server that apply to one call. */
final class FunctionCall {

	/*
	 * The settings belong to the transaction of the call: with "true", set_config
	 * restores them at its end. The driver sends both statements together, so the
	 * settings cost no round trip. The server ends a statement before the timeout of the
	 * caller expires, or at the latest with it. If the client closed the connection of a
	 * waiting statement, that connection would remain at the server in addition to the
	 * next one. The cancel request of the driver is for modes in which the server treats
	 * both statements as one.
	 */

	private static final String ISOLATION = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

	private final String prefix;

	private final String settings;

	private final int querySeconds;

	private volatile boolean ownIsolation;

	FunctionCall(String schema, Duration timeout) {
		this.prefix = schema.isEmpty() ? "" : Text.quoted(schema) + ".";
		long millis = Math.max(2, Math.min(Integer.MAX_VALUE, timeout.toMillis()));
		this.settings = "SELECT set_config('lock_timeout', '" + millis * 4 / 5
				+ "', true), set_config('statement_timeout', '" + millis + "', true); ";
		this.querySeconds = Session.querySeconds(timeout);
	}

	/** Reads whether the default isolation differs from the one that decisions need. */
	void learnIsolation(Connection connection) throws SQLException {
		this.ownIsolation = connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED;
	}

	<T> List<T> rows(Connection connection, RowReader<T> reader, String function, @Nullable Object... arguments)
			throws SQLException {
		if (!this.ownIsolation) {
			return select(connection, reader, function, arguments);
		}
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute(ISOLATION);
			List<T> rows = select(connection, reader, function, arguments);
			connection.commit();
			return rows;
		}
		catch (SQLException | RuntimeException ex) {
			connection.rollback();
			throw ex;
		}
		finally {
			connection.setAutoCommit(true);
		}
	}

	private <T> List<T> select(Connection connection, RowReader<T> reader, String function,
			@Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = connection
			.prepareStatement(this.settings + "SELECT * FROM " + this.prefix + function)) {
			statement.setQueryTimeout(this.querySeconds);
			set(connection, statement, arguments);
			statement.execute();
			statement.getMoreResults();
			try (ResultSet result = statement.getResultSet()) {
				List<T> rows = new ArrayList<>();
				while (result.next()) {
					rows.add(reader.read(result));
				}
				return rows;
			}
		}
	}

	private static void set(Connection connection, PreparedStatement statement, @Nullable Object... arguments)
			throws SQLException {
		for (int i = 0; i < arguments.length; i++) {
			if (arguments[i] instanceof Long[] numbers) {
				statement.setArray(i + 1, connection.createArrayOf("bigint", numbers));
			}
			else if (arguments[i] instanceof byte[][] texts) {
				statement.setArray(i + 1, connection.createArrayOf("bytea", texts));
			}
			else if (arguments[i] instanceof LongSupplier number) {
				statement.setLong(i + 1, number.getAsLong());
			}
			else {
				statement.setObject(i + 1, arguments[i]);
			}
		}
	}

}
