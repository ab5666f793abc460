package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work that uses a connection.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface Work<T> {

	/**
	 * Performs the work.
	 * @param connection the connection, in autocommit mode
	 * @return the result
	 * @throws SQLException if the work fails
	 */
	T with(Connection connection) throws SQLException;

}
