package dev.sluice.jdbc;

import java.io.Serial;

/**
 * Thrown when the tables and functions of the store are missing or old, or do not match
 * the configured {@link Durability}.
 *
 * @since 0.1.0
 */
public class JdbcSchemaException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the problem and its remedy
	 */
	public JdbcSchemaException(String message) {
		super(message);
	}

}
