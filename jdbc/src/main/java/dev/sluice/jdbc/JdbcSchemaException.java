package dev.sluice.jdbc;

/**
 * Thrown when the tables and functions of the store are missing or of another version, or
 * cannot be created.
 *
 * @since 0.1.0
 */
public class JdbcSchemaException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what is wrong, and the remedy
	 * @param cause what the database said
	 */
	public JdbcSchemaException(String message, Throwable cause) {
		super(message, cause);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong, and the remedy
	 */
	public JdbcSchemaException(String message) {
		super(message);
	}

}
