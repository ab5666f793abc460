package dev.sluice.jdbc.connection;

import java.io.Serial;
import java.sql.SQLException;

/** Thrown when a database answers but cannot store limits in its present state. */
public final class UnusableDatabaseException extends SQLException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final boolean schema;

	/**
	 * Creates an exception.
	 * @param message the problem and its remedy
	 * @param schema whether the tables and functions are the problem
	 */
	UnusableDatabaseException(String message, boolean schema) {
		super(message);
		this.schema = schema;
	}

	/**
	 * Returns whether the tables and functions are missing or old, or have another
	 * durability.
	 * @return {@code false} if the server is another product or version
	 */
	public boolean isSchema() {
		return this.schema;
	}

}
