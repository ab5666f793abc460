package dev.sluice.jdbc;

import java.io.Serial;

/**
 * Thrown when PostgreSQL cannot be used until its configuration or the configuration of
 * this node changes: PostgreSQL rejects the role or its password, the role lacks a right,
 * a connection rejects a required setting, or the database is another product.
 *
 * @since 0.1.0
 */
public final class JdbcAccessException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the problem
	 * @param cause the cause of the problem
	 */
	public JdbcAccessException(String message, Throwable cause) {
		super(message, cause);
	}

}
