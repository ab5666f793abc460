package dev.sluice.autoconfigure.throttle;

import java.time.Duration;

import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitType;
import org.jspecify.annotations.Nullable;

/**
 * Properties of one limit.
 *
 * @since 0.1.0
 */
public class LimitProperties {

	/**
	 * Type of the limit.
	 */
	private LimitType type = LimitType.SLIDING_LOG;

	/**
	 * Number of permits in each period, or at the same time for a mutex or semaphore.
	 */
	private @Nullable Integer limit;

	/**
	 * Period of a rate limit.
	 */
	private @Nullable Duration period;

	/**
	 * Number of buckets that the period is divided into.
	 */
	private @Nullable Integer buckets;

	/**
	 * Number of permits that a token bucket holds, or that all keys of a dynamic window
	 * share.
	 */
	private @Nullable Integer capacity;

	/**
	 * Minimum number of permits for one key of a dynamic window.
	 */
	private @Nullable Integer minLimit;

	/**
	 * Maximum number of permits for one key of a dynamic window.
	 */
	private @Nullable Integer maxLimit;

	/**
	 * Whether to count calls without rejecting any.
	 */
	private boolean dryRun;

	/**
	 * Maximum number of keys to remember. If not set, depends on the type.
	 */
	private @Nullable Integer maxKeys;

	/**
	 * Strategy for a new key when the maximum number of keys is reached.
	 */
	private AtMaxKeys atMaxKeys = AtMaxKeys.EVICT_IDLE;

	/**
	 * Maximum number of calls that wait for one key.
	 */
	private int maxWaiting = 10000;

	/**
	 * Failure policy while the store that nodes share is unavailable. If not set, that of
	 * the store.
	 */
	private @Nullable FailurePolicy failurePolicy;

	/**
	 * Time after which a held permit expires when its node no longer renews it. If not
	 * set, that of the store.
	 */
	private @Nullable Duration lease;

	/**
	 * Maximum number of permits of a rate limit that a node acquires from the store at
	 * once. If not set, that of the store.
	 */
	private @Nullable Integer batch;

	/**
	 * HTTP status of responses to requests that the limit rejects. If not set, 429.
	 */
	private @Nullable Integer status;

	public LimitType getType() {
		return this.type;
	}

	public void setType(LimitType type) {
		this.type = type;
	}

	public @Nullable Integer getLimit() {
		return this.limit;
	}

	public void setLimit(@Nullable Integer limit) {
		this.limit = limit;
	}

	public @Nullable Duration getPeriod() {
		return this.period;
	}

	public void setPeriod(@Nullable Duration period) {
		this.period = period;
	}

	public @Nullable Integer getBuckets() {
		return this.buckets;
	}

	public void setBuckets(@Nullable Integer buckets) {
		this.buckets = buckets;
	}

	public @Nullable Integer getCapacity() {
		return this.capacity;
	}

	public void setCapacity(@Nullable Integer capacity) {
		this.capacity = capacity;
	}

	public @Nullable Integer getMinLimit() {
		return this.minLimit;
	}

	public void setMinLimit(@Nullable Integer minLimit) {
		this.minLimit = minLimit;
	}

	public @Nullable Integer getMaxLimit() {
		return this.maxLimit;
	}

	public void setMaxLimit(@Nullable Integer maxLimit) {
		this.maxLimit = maxLimit;
	}

	public boolean isDryRun() {
		return this.dryRun;
	}

	public void setDryRun(boolean dryRun) {
		this.dryRun = dryRun;
	}

	public @Nullable Integer getMaxKeys() {
		return this.maxKeys;
	}

	public void setMaxKeys(@Nullable Integer maxKeys) {
		this.maxKeys = maxKeys;
	}

	public AtMaxKeys getAtMaxKeys() {
		return this.atMaxKeys;
	}

	public void setAtMaxKeys(AtMaxKeys atMaxKeys) {
		this.atMaxKeys = atMaxKeys;
	}

	public int getMaxWaiting() {
		return this.maxWaiting;
	}

	public void setMaxWaiting(int maxWaiting) {
		this.maxWaiting = maxWaiting;
	}

	public @Nullable FailurePolicy getFailurePolicy() {
		return this.failurePolicy;
	}

	public void setFailurePolicy(@Nullable FailurePolicy failurePolicy) {
		this.failurePolicy = failurePolicy;
	}

	public @Nullable Duration getLease() {
		return this.lease;
	}

	public void setLease(@Nullable Duration lease) {
		this.lease = lease;
	}

	public @Nullable Integer getBatch() {
		return this.batch;
	}

	public void setBatch(@Nullable Integer batch) {
		this.batch = batch;
	}

	public @Nullable Integer getStatus() {
		return this.status;
	}

	public void setStatus(@Nullable Integer status) {
		this.status = status;
	}

	LimitDefinition definition() {
		return LimitDefinition.of(this.type)
			.limit(this.limit)
			.period(this.period)
			.buckets(this.buckets)
			.capacity(this.capacity)
			.minLimit(this.minLimit)
			.maxLimit(this.maxLimit);
	}

}
