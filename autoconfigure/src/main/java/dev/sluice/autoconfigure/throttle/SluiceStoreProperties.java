package dev.sluice.autoconfigure.throttle;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.throttle.FailurePolicy;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of where limits keep their state.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("sluice.store")
public class SluiceStoreProperties implements CheckedProperties {

	/**
	 * Type of the store that keeps the state of limits.
	 */
	private Type type = Type.MEMORY;

	private final Redis redis = new Redis();

	public Type getType() {
		return this.type;
	}

	public void setType(Type type) {
		this.type = type;
	}

	public Redis getRedis() {
		return this.redis;
	}

	@Override
	public void check(PropertyRules rules) {
		rules.check("redis.keyPrefix",
				this.redis.getKeyPrefix().indexOf('{') < 0 && this.redis.getKeyPrefix().indexOf('}') < 0,
				"must not contain braces");
		rules.positive("redis.timeout", this.redis.getTimeout());
		rules.positive("redis.lease", this.redis.getLease());
		rules.positive("redis.batch", this.redis.getBatch());
		rules.check("redis.waitReplicas", this.redis.getWaitReplicas().matches("\\d{1,9}|quorum"),
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
	 * @since 0.1.0
	 */
	public static class Redis {

		/**
		 * Prefix of the names of all keys and channels.
		 */
		private String keyPrefix = "sluice:";

		/**
		 * Maximum time to wait for an answer from Redis.
		 */
		private Duration timeout = Duration.ofMillis(250);

		/**
		 * Failure policy of limits that do not specify one.
		 */
		private FailurePolicy failurePolicy = FailurePolicy.CLOSED;

		/**
		 * Time after which permits and waiters of a node expire when it no longer renews
		 * them.
		 */
		private Duration lease = Duration.ofSeconds(30);

		/**
		 * Maximum number of permits of a rate limit that a node acquires at once, for
		 * limits that do not specify one. Only 1 is exact.
		 */
		private int batch = 1;

		/**
		 * Number of replicas that must confirm a permit within the timeout, or "quorum".
		 * Not supported in a cluster.
		 */
		private String waitReplicas = "0";

		public String getKeyPrefix() {
			return this.keyPrefix;
		}

		public void setKeyPrefix(String keyPrefix) {
			this.keyPrefix = keyPrefix;
		}

		public Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

		public FailurePolicy getFailurePolicy() {
			return this.failurePolicy;
		}

		public void setFailurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = failurePolicy;
		}

		public Duration getLease() {
			return this.lease;
		}

		public void setLease(Duration lease) {
			this.lease = lease;
		}

		public int getBatch() {
			return this.batch;
		}

		public void setBatch(int batch) {
			this.batch = batch;
		}

		public String getWaitReplicas() {
			return this.waitReplicas;
		}

		public void setWaitReplicas(String waitReplicas) {
			this.waitReplicas = waitReplicas;
		}

	}

}
