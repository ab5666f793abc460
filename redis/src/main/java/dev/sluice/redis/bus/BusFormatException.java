package dev.sluice.redis.bus;

/**
 * Thrown when the nodes that use the same keys in Redis have another format than this
 * node, which therefore does not start.
 *
 * @since 0.1.0
 */
public final class BusFormatException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String key;

	BusFormatException(String key, String recorded, String own) {
		super("Nodes of another format use the same Redis and the same key prefix: '%s' is recorded in '%s', and this node has '%s'"
			.formatted(recorded, key, own));
		this.key = key;
	}

	/**
	 * Returns the key in which the format is recorded.
	 * @return the name of the key
	 */
	public String key() {
		return this.key;
	}

}
