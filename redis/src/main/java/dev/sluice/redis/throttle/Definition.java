package dev.sluice.redis.throttle;

import java.util.Optional;

import dev.sluice.redis.connection.RedisNode;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.failover.LimitTerms;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Definition of a limit that all nodes share, and its text in Redis:
 * {@code 3 rate type=sliding-log
 * limit=10 period=PT1S max-waiting=10000}. The word after the version is the kind.
 * Options without a value are omitted; each node uses its own default.
 *
 * @param version 1 when defined, and one more with each change
 * @param limit the limit
 * @param options the options
 */
public record Definition(long version, Limit limit, LimitOptions options) {

	private static final System.Logger LOGGER = System.getLogger(Definition.class.getName());

	static final String REMOVED = "removed";

	/** Returns the text without the version. */
	public static String terms(Limit limit, LimitOptions options) {
		return (limit.isHeld() ? "held " : "rate ") + new LimitTerms(limit, options).text();
	}

	/**
	 * Reads the definition from Redis; blocks.
	 * @return the definition; empty if it does not exist, was removed, or Redis is
	 * unavailable
	 */
	public static Optional<Definition> read(RedisNode node, String resource) {
		String key = node.names().limit(resource);
		try {
			String text = node.commands().await(node.commands().send((redis) -> redis.get(key)));
			return (text == null || text.equals(REMOVED)) ? Optional.empty() : Optional.of(parse(text));
		}
		catch (StoreUnavailableException ex) {
			LOGGER.log(System.Logger.Level.DEBUG, "Failed to read a limit from Redis", ex);
			return Optional.empty();
		}
	}

	/**
	 * Reads the text of a definition that was not removed.
	 * @throws StoreUnavailableException if it is unreadable
	 */
	static Definition parse(String text) {
		try {
			String[] parts = text.split(" ", 3);
			LimitTerms terms = LimitTerms.parse(parts[2]);
			return new Definition(Long.parseLong(parts[0]), terms.limit(), terms.options());
		}
		catch (RuntimeException ex) {
			throw new StoreUnavailableException("The definition of a limit in Redis cannot be read", ex);
		}
	}

	boolean isSameAs(Definition other) {
		return terms(this.limit, this.options).equals(terms(other.limit, other.options));
	}

}
