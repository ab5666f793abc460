package dev.sluice.jdbc.connection;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Reader of one row of an answer.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface RowReader<T> {

	/**
	 * Reads one row.
	 * @param row the row
	 * @return the result
	 * @throws SQLException if the row cannot be read
	 */
	T read(ResultSet row) throws SQLException;

}
