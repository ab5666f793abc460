package dev.sluice.redis;

/**
 * Thrown when Redis cannot be used until its configuration or that of this node is
 * changed: it rejects the credentials, its user lacks a right, or it is part of a cluster
 * and is used as a single server.
 *
 * @since 0.1.0
 */
public final class RedisAccessException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what is wrong, with the ACL rules that are missing
	 */
	public RedisAccessException(String message) {
		super(message);
	}

}
