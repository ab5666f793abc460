package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work with a connection.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface Work<T> {

	/**
	 * Does the work.
	 * @param connection the connection, in autocommit
	 * @return the result
	 * @throws SQLException if it fails
	 */
	T with(Connection connection) throws SQLException;

}
