package dev.sluice.autoconfigure.throttle;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.throttle.FailurePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the store of limits.
 *
 * @param type Type of the store that keeps the state of limits.
 * @param redis Limits in Redis.
 * @param jdbc Limits in PostgreSQL.
 * @since 0.1.0
 */
@ConfigurationProperties("sluice.store")
public record SluiceStoreProperties(@DefaultValue("memory") Type type, @Nullable Redis redis,
		@Nullable Jdbc jdbc) implements CheckedProperties {

	/**
	 * Returns the properties of limits in Redis. If none is set, their defaults are bound
	 * here, so that applications without Redis do not pay for it at the start.
	 */
	@Override
	public Redis redis() {
		return (this.redis != null) ? this.redis : defaults(Redis.class);
	}

	/** Returns the properties of limits in PostgreSQL, as {@link #redis()} does. */
	@Override
	public Jdbc jdbc() {
		return (this.jdbc != null) ? this.jdbc : defaults(Jdbc.class);
	}

	private static <T> T defaults(Class<T> type) {
		return new Binder().bindOrCreate("", type);
	}

	@Override
	public void check(PropertyRules rules) {
		if (this.redis != null) {
			check(rules, this.redis);
		}
		if (this.jdbc != null) {
			check(rules, this.jdbc);
		}
	}

	private static void check(PropertyRules rules, Redis redis) {
		rules.check("redis.keyPrefix", !redis.keyPrefix().isBlank(),
				"must not be empty, as Sluice would delete keys of other programs");
		rules.check("redis.keyPrefix", redis.keyPrefix().indexOf('{') < 0 && redis.keyPrefix().indexOf('}') < 0,
				"must not contain braces");
		rules.positive("redis.timeout", redis.timeout());
		rules.positive("redis.lease", redis.lease());
		rules.positive("redis.batch", redis.batch());
		rules.check("redis.waitReplicas", redis.waitReplicas().matches("\\d{1,9}|quorum"),
				"must be quorum or a number that is not negative");
	}

	private static void check(PropertyRules rules, Jdbc jdbc) {
		rules.check("jdbc.schema", jdbc.schema() == null || jdbc.schema().matches("[a-z_][a-z0-9_]{0,62}"),
				"must be a name of lower case letters, digits and underscores");
		rules.positive("jdbc.timeout", jdbc.timeout());
		rules.positive("jdbc.lease", jdbc.lease());
		rules.check("jdbc.poolSize", jdbc.poolSize() >= jdbc.connections(),
				jdbc.listen() ? "must be at least 2, as one connection listens" : "must be greater than 0");
	}

	/**
	 * Type of the store of limits.
	 *
	 * @since 0.1.0
	 */
	public enum Type {

		/** In each node for itself. */
		MEMORY,

		/** In Redis, for all nodes together. */
		REDIS,

		/** In PostgreSQL, for all nodes together. */
		JDBC

	}

	/**
	 * Properties of limits in Redis.
	 *
	 * @param keyPrefix Prefix of the names of all keys and channels.
	 * @param timeout Maximum time to wait for an answer from Redis.
	 * @param failurePolicy Failure policy of limits that do not specify one.
	 * @param lease Time after which permits and waiters of a node expire when it no
	 * longer renews them.
	 * @param batch Maximum number of permits of a rate limit that a node acquires at
	 * once, for limits that do not specify one. Only 1 is exact.
	 * @param waitReplicas Number of replicas that must confirm a permit within the
	 * timeout, or "quorum". Not supported in a cluster.
	 * @since 0.1.0
	 */
	public record Redis(@DefaultValue("sluice:") String keyPrefix, @DefaultValue("250ms") Duration timeout,
			@DefaultValue("closed") FailurePolicy failurePolicy, @DefaultValue("30s") Duration lease,
			@DefaultValue("1") int batch, @DefaultValue("0") String waitReplicas) {
	}

	/**
	 * Properties of limits in PostgreSQL.
	 *
	 * @param schema Schema of the tables and functions. If not set, the first one of the
	 * search path.
	 * @param initializeSchema When to create the tables and functions at start-up.
	 * @param durability Changes of rate limits that a crash of the server may lose.
	 * @param poolSize Maximum number of connections that the store uses at a time,
	 * including the listening one.
	 * @param listen Whether one connection listens for notifications of other nodes. Must
	 * be disabled for PgBouncer in transaction mode.
	 * @param timeout Maximum time to wait for an answer from the database.
	 * @param failurePolicy Failure policy of limits that do not specify one.
	 * @param lease Time after which permits and waiters of a node expire when it no
	 * longer renews them.
	 * @since 0.1.0
	 */
	public record Jdbc(@Nullable String schema, @DefaultValue("embedded") InitializeSchema initializeSchema,
			@DefaultValue("relaxed") Durability durability, @DefaultValue("4") int poolSize,
			@DefaultValue("true") boolean listen, @DefaultValue("250ms") Duration timeout,
			@DefaultValue("closed") FailurePolicy failurePolicy, @DefaultValue("30s") Duration lease) {

		/** Returns the minimum number of connections that the store needs. */
		public int connections() {
			return this.listen ? 2 : 1;
		}

	}

	/**
	 * Condition for the creation of tables and functions at start-up.
	 *
	 * @since 0.1.0
	 */
	public enum InitializeSchema {

		/** Only for an embedded database, which PostgreSQL never is. */
		EMBEDDED,

		/** At each start. */
		ALWAYS,

		/** Never; a migration of the application creates them. */
		NEVER

	}

	/**
	 * Durability of rate limits across a crash of the server. Concurrency limits are
	 * always durable.
	 *
	 * @since 0.1.0
	 */
	public enum Durability {

		/** No permits are lost: each decision waits for the disk. */
		FULL,

		/** The permits of the last second may be lost, at most. */
		RELAXED,

		/** All permits are lost; standby servers have none. */
		UNLOGGED

	}

}
