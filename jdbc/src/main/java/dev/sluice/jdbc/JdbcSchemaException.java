package dev.sluice.jdbc;

import java.io.Serial;

/**
 * Thrown when the tables and functions of the store are missing, old, or not as it was
 * told to find them.
 *
 * @since 0.1.0
 */
public class JdbcSchemaException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong, and what to do
	 */
	public JdbcSchemaException(String message) {
		super(message);
	}

}
