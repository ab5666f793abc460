package dev.sluice.autoconfigure.throttle;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.throttle.FailurePolicy;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of where limits keep their state.
 *
 * @param type Type of the store that keeps the state of limits.
 * @param redis Limits in Redis.
 * @since 0.1.0
 */
@ConfigurationProperties("sluice.store")
public record SluiceStoreProperties(@DefaultValue("memory") Type type,
		@DefaultValue Redis redis) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.check("redis.keyPrefix",
				this.redis.keyPrefix().indexOf('{') < 0 && this.redis.keyPrefix().indexOf('}') < 0,
				"must not contain braces");
		rules.positive("redis.timeout", this.redis.timeout());
		rules.positive("redis.lease", this.redis.lease());
		rules.positive("redis.batch", this.redis.batch());
		rules.check("redis.waitReplicas", this.redis.waitReplicas().matches("\\d{1,9}|quorum"),
				"must be quorum or a number that is not negative");
	}

	/**
	 * Where limits keep their state.
	 *
	 * @since 0.1.0
	 */
	public enum Type {

		/** In each node for itself. */
		MEMORY,

		/** In Redis, for all nodes together. */
		REDIS

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

}
