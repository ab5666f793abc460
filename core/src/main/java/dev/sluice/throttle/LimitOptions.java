package dev.sluice.throttle;

import java.time.Duration;
import java.util.Objects;

import dev.sluice.throttle.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Options of a throttle beside its limit. Immutable.
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
	 * Returns the options of a throttle that was given none.
	 * @return the defaults
	 */
	public static LimitOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Starts from the defaults.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns whether the limit counts only, and rejects nothing.
	 * @return {@code true} for a dry run; {@code false} by default
	 */
	public boolean dryRun() {
		return this.dryRun;
	}

	/**
	 * Returns the maximum number of keys of a throttle of the given limit.
	 * @param limit the limit whose default holds where none was set
	 * @return the cap; 100,000 by default
	 */
	public int maxKeys(Limit limit) {
		return (this.maxKeys != null) ? this.maxKeys : limit.defaultMaxKeys();
	}

	/**
	 * Returns what happens to a new key at the cap.
	 * @return the behaviour; {@link AtMaxKeys#EVICT_IDLE} by default
	 */
	public AtMaxKeys atMaxKeys() {
		return this.atMaxKeys;
	}

	/**
	 * Returns the length of the waiting line, per key.
	 * @return the most that may wait; 10,000 by default
	 */
	public int maxWaiting() {
		return this.maxWaiting;
	}

	/**
	 * Returns what happens while the store that nodes share is unavailable. Limits in
	 * memory have no such store.
	 * @return the policy, or {@code null} for that of the store
	 */
	public @Nullable FailurePolicy failurePolicy() {
		return this.failurePolicy;
	}

	/**
	 * Returns for how long a permit of a mutex or semaphore is held in a store that nodes
	 * share when nothing is heard of its node. Limits in memory have no leases.
	 * @return the time, or {@code null} for that of the store
	 */
	public @Nullable Duration lease() {
		return this.lease;
	}

	/**
	 * Returns how many permits of a rate a node may acquire at once from a store that
	 * nodes share, and keep for a moment for calls to come. Limits in memory have no
	 * batches.
	 * @return the most, of which 1 is exact, or {@code null} for that of the store
	 */
	public @Nullable Integer batch() {
		return this.batch;
	}

	/**
	 * Starts from these options, to change some of them.
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
	 * Builder of options; not safe for use by several threads.
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
		 * Sets whether the limit counts only, and rejects nothing.
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
		 * Sets what happens to a new key at the cap.
		 * @param atMaxKeys the behaviour
		 * @return this builder
		 */
		public Builder atMaxKeys(AtMaxKeys atMaxKeys) {
			this.atMaxKeys = Checks.notNull("atMaxKeys", atMaxKeys);
			return this;
		}

		/**
		 * Sets the length of the waiting line, per key.
		 * @param maxWaiting the most that may wait, at least 1
		 * @return this builder
		 * @throws IllegalArgumentException if {@code maxWaiting} is below 1
		 */
		public Builder maxWaiting(int maxWaiting) {
			this.maxWaiting = LimitChecks.positive("maxWaiting", maxWaiting);
			return this;
		}

		/**
		 * Sets what happens while the store that nodes share is unavailable.
		 * @param failurePolicy the policy
		 * @return this builder
		 */
		public Builder failurePolicy(FailurePolicy failurePolicy) {
			this.failurePolicy = Checks.notNull("failurePolicy", failurePolicy);
			return this;
		}

		/**
		 * Sets for how long a permit of a mutex or semaphore is held in a store that
		 * nodes share when nothing is heard of its node.
		 * @param lease the time
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
		 * Sets how many permits of a rate a node may acquire at once from a store that
		 * nodes share, and keep for a moment for calls to come: fewer round trips for
		 * keys that are called often, and a bound that the store states.
		 * @param batch the most; 1 is exact
		 * @return this builder
		 * @throws IllegalArgumentException if {@code batch} is below 1
		 */
		public Builder batch(int batch) {
			this.batch = LimitChecks.positive("batch", batch);
			return this;
		}

		/**
		 * Builds the options.
		 * @return what was set so far
		 */
		public LimitOptions build() {
			return new LimitOptions(this);
		}

	}

}
