package dev.sluice.throttle;

import java.time.Duration;
import java.util.Objects;

import dev.sluice.throttle.internal.argument.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Options of a throttle in addition to its limit. Immutable.
 *
 * @since 0.1.0
 */
public final class LimitOptions {

	private static final LimitOptions DEFAULTS = builder().build();

	private final boolean dryRun;

	private final @Nullable Integer maxKeys;

	private final AtMaxKeys atMaxKeys;

	private final int maxWaiting;

	private final @Nullable FailurePolicy failurePolicy;

	private final @Nullable Duration lease;

	private final @Nullable Integer batch;

	private LimitOptions(Builder builder) {
		this.dryRun = builder.dryRun;
		this.maxKeys = builder.maxKeys;
		this.atMaxKeys = builder.atMaxKeys;
		this.maxWaiting = builder.maxWaiting;
		this.failurePolicy = builder.failurePolicy;
		this.lease = builder.lease;
		this.batch = builder.batch;
	}

	/**
	 * Returns the options of a throttle that was defined without any.
	 * @return the defaults
	 */
	public static LimitOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a builder that starts with the defaults.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns whether the limit only counts calls and never rejects them.
	 * @return {@code true} for a dry run; {@code false} by default
	 */
	public boolean dryRun() {
		return this.dryRun;
	}

	/**
	 * Returns the maximum number of keys of a throttle of the given limit.
	 * @param limit the limit whose default applies if the option is not set
	 * @return the cap; 100,000 by default
	 */
	public int maxKeys(Limit limit) {
		return (this.maxKeys != null) ? this.maxKeys : Checks.notNull("limit", limit).defaultMaxKeys();
	}

	/**
	 * Returns the action for a new key at the cap.
	 * @return the action; {@link AtMaxKeys#EVICT_IDLE} by default
	 */
	public AtMaxKeys atMaxKeys() {
		return this.atMaxKeys;
	}

	/**
	 * Returns the maximum length of the waiting line of a key.
	 * @return the maximum number of waiters; 10,000 by default
	 */
	public int maxWaiting() {
		return this.maxWaiting;
	}

	/**
	 * Returns the policy that applies while the shared store is unavailable. Limits in
	 * memory ignore it.
	 * @return the policy, or {@code null} for the default of the store
	 */
	public @Nullable FailurePolicy failurePolicy() {
		return this.failurePolicy;
	}

	/**
	 * Returns the time after which a shared store releases a permit of a mutex or
	 * semaphore that its node no longer renews. Limits in memory have no leases.
	 * @return the time, or {@code null} for the default of the store
	 */
	public @Nullable Duration lease() {
		return this.lease;
	}

	/**
	 * Returns the maximum number of rate limit permits that a node acquires from a shared
	 * store in one request, keeping the surplus briefly for later calls. Limits in memory
	 * have no batches.
	 * @return the maximum, where 1 makes the limit exact, or {@code null} for the default
	 * of the store
	 */
	public @Nullable Integer batch() {
		return this.batch;
	}

	/**
	 * Returns a builder that starts with these options.
	 * @return a builder
	 */
	public Builder toBuilder() {
		Builder builder = builder().dryRun(this.dryRun).atMaxKeys(this.atMaxKeys).maxWaiting(this.maxWaiting);
		if (this.maxKeys != null) {
			builder.maxKeys(this.maxKeys);
		}
		builder.failurePolicy = this.failurePolicy;
		builder.lease = this.lease;
		builder.batch = this.batch;
		return builder;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LimitOptions that && this.dryRun == that.dryRun
				&& Objects.equals(this.maxKeys, that.maxKeys) && this.atMaxKeys == that.atMaxKeys
				&& this.maxWaiting == that.maxWaiting && this.failurePolicy == that.failurePolicy
				&& Objects.equals(this.lease, that.lease) && Objects.equals(this.batch, that.batch);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.dryRun, this.maxKeys, this.atMaxKeys, this.maxWaiting, this.failurePolicy, this.lease,
				this.batch);
	}

	@Override
	public String toString() {
		return "LimitOptions[dryRun=" + this.dryRun + ", maxKeys=" + ((this.maxKeys != null) ? this.maxKeys : "default")
				+ ", atMaxKeys=" + this.atMaxKeys + ", maxWaiting=" + this.maxWaiting + ", failurePolicy="
				+ ((this.failurePolicy != null) ? this.failurePolicy : "default") + ", lease="
				+ ((this.lease != null) ? this.lease : "default") + ", batch="
				+ ((this.batch != null) ? this.batch : "default") + "]";
	}

	/**
	 * Builder of {@link LimitOptions}. Not thread-safe.
	 *
	 * @since 0.1.0
	 */
	public static final class Builder {

		private boolean dryRun;

		private @Nullable Integer maxKeys;

		private AtMaxKeys atMaxKeys = AtMaxKeys.EVICT_IDLE;

		private int maxWaiting = 10_000;

		private @Nullable FailurePolicy failurePolicy;

		private @Nullable Duration lease;

		private @Nullable Integer batch;

		private Builder() {
		}

		/**
		 * Sets whether the limit only counts calls and never rejects them.
		 * @param dryRun {@code true} for a dry run
		 * @return this builder
		 */
		public Builder dryRun(boolean dryRun) {
			this.dryRun = dryRun;
			return this;
		}

		/**
		 * Sets the maximum number of keys.
		 * @param maxKeys the cap, at least 1
		 * @return this builder
		 * @throws IllegalArgumentException if {@code maxKeys} is below 1
		 */
		public Builder maxKeys(int maxKeys) {
			this.maxKeys = LimitChecks.positive("maxKeys", maxKeys);
			return this;
		}

		/**
		 * Sets the action for a new key at the cap.
		 * @param atMaxKeys the action
		 * @return this builder
		 */
		public Builder atMaxKeys(AtMaxKeys atMaxKeys) {
			this.atMaxKeys = Checks.notNull("atMaxKeys", atMaxKeys);
			return this;
		}

		/**
		 * Sets the maximum length of the waiting line of a key.
		 * @param maxWaiting the maximum number of waiters, at least 1
		 * @return this builder
		 * @throws IllegalArgumentException if {@code maxWaiting} is below 1
		 */
		public Builder maxWaiting(int maxWaiting) {
			this.maxWaiting = LimitChecks.positive("maxWaiting", maxWaiting);
			return this;
		}

		/**
		 * Sets the policy that applies while the shared store is unavailable.
		 * @param failurePolicy the policy
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Checks.notNull("failurePolicy", failurePolicy);
			return this;
		}

		/**
		 * Sets the time after which a shared store releases a permit of a mutex or
		 * semaphore that its node no longer renews.
		 * @param lease the time, at least one millisecond
		 * @return this builder
		 * @throws IllegalArgumentException if {@code lease} is below a millisecond
		 */
		public Builder lease(Duration lease) {
			Checks.notNull("lease", lease);
			if (lease.compareTo(Duration.ofMillis(1)) < 0) {
				throw new IllegalArgumentException("'lease' must be at least a millisecond: " + lease);
			}
			this.lease = lease;
			return this;
		}

		/**
		 * Sets the maximum number of rate limit permits that a node acquires from a
		 * shared store in one request, keeping the surplus briefly for later calls. A
		 * batch saves round trips for busy keys; the store documents by how much it may
		 * exceed the limit.
		 * @param batch the maximum; 1 makes the limit exact
		 * @return this builder
		 * @throws IllegalArgumentException if {@code batch} is below 1
		 */
		public Builder batch(int batch) {
			this.batch = LimitChecks.positive("batch", batch);
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 */
		public LimitOptions build() {
			return new LimitOptions(this);
		}

	}

}
