package dev.sluice.redis;

/**
 * Thrown when Redis cannot be used with the present configuration: it rejects the
 * credentials, its user lacks a permission, or it is part of a cluster and the client is
 * for a single server.
 *
 * @since 0.1.0
 */
public final class RedisAccessException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the problem, with the missing ACL rules
	 */
	public RedisAccessException(String message) {
		super(message);
	}

}
