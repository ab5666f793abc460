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
	 * Kind of the limit.
	 */
	private LimitType type = LimitType.SLIDING_LOG;

	/**
	 * How much the limit grants: in each period, or at once if it is held.
	 */
	private @Nullable Integer limit;

	/**
	 * Time in which the limit is granted once.
	 */
	private @Nullable Duration period;

	/**
	 * Number of buckets that the period is divided into.
	 */
	private @Nullable Integer buckets;

	/**
	 * How much a token bucket holds, or a dynamic window grants to all keys together.
	 */
	private @Nullable Integer capacity;

	/**
	 * Least that each key of a dynamic window may get.
	 */
	private @Nullable Integer minLimit;

	/**
	 * Maximum number of permits for one key of a dynamic window.
	 */
	private @Nullable Integer maxLimit;

	/**
	 * Whether the limit counts only and rejects nothing.
	 */
	private boolean dryRun;

	/**
	 * Maximum number of keys to remember. Depends on the type unless set.
	 */
	private @Nullable Integer maxKeys;

	/**
	 * What happens to a new key when there are as many as may be.
	 */
	private AtMaxKeys atMaxKeys = AtMaxKeys.EVICT_IDLE;

	/**
	 * Maximum number of calls that wait for one key.
	 */
	private int maxWaiting = 10000;

	/**
	 * What happens while the store that nodes share is unavailable. That of the store unless
	 * set.
	 */
	private @Nullable FailurePolicy failurePolicy;

	/**
	 * How long a permit that is held in a store that nodes share lasts when nothing is
	 * heard of its node. That of the store unless set.
	 */
	private @Nullable Duration lease;

	/**
	 * How many permits of a rate a node may take at once from a store that nodes share; 1
	 * is exact. That of the store unless set.
	 */
	private @Nullable Integer batch;

	/**
	 * Status of the response to a request that the limit rejects; 429 unless set.
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
