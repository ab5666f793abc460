package dev.sluice.jdbc;

import java.io.Serial;

/**
 * Thrown when PostgreSQL cannot be used until its configuration or that of this node is
 * changed: it rejects the role or its password, the role lacks a right, a connection
 * cannot be set as needed, or the database is another product.
 *
 * @since 0.1.0
 */
public final class JdbcAccessException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the problem
	 * @param cause the failure
	 */
	public JdbcAccessException(String message, Throwable cause) {
		super(message, cause);
	}

}
