package dev.sluice.jdbc.throttle;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Row of a definition.
 *
 * @param epoch number among all definitions
 * @param version 1 when defined, and one more with each change
 * @param terms the text
 * @param removed whether it was removed
 */
public record StoredDefinition(long epoch, long version, String terms, boolean removed) {

	/** Reads the columns, which come first and in this order. */
	public static StoredDefinition read(ResultSet row) throws SQLException {
		return new StoredDefinition(row.getLong(1), row.getLong(2), row.getString(3), row.getBoolean(4));
	}

	public Definition parse() {
		return Definition.parse(this.epoch, this.version, this.terms);
	}

}
