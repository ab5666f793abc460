package dev.sluice.autoconfigure.throttle;

import java.time.Duration;
import java.util.function.Consumer;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.InvalidLimitOptionException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

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

	/** Makes the limit; an option that its type does not know stops the start. */
	Limit toLimit(String name) {
		try {
			return LimitDefinition.of(this.type)
				.limit(this.limit)
				.period(this.period)
				.buckets(this.buckets)
				.capacity(this.capacity)
				.minLimit(this.minLimit)
				.maxLimit(this.maxLimit)
				.toLimit();
		}
		catch (InvalidLimitOptionException ex) {
			throw invalid(name, ex.option(), ex.problem(), ex);
		}
	}

	/**
	 * Makes the options of the limit, of which those of leases need permits that are
	 * held.
	 */
	LimitOptions toOptions(String name, Limit limit) {
		LimitOptions.Builder options = LimitOptions.builder().dryRun(this.dryRun).atMaxKeys(this.atMaxKeys);
		set(name, "max-waiting", this.maxWaiting, options::maxWaiting);
		set(name, "max-keys", this.maxKeys, options::maxKeys);
		set(name, "failure-policy", this.failurePolicy, options::failurePolicy);
		if (this.lease != null && !limit.isHeld()) {
			throw invalid(name, "lease", "is no option of type " + limit.type(), null);
		}
		set(name, "lease", this.lease, options::lease);
		if (this.batch != null && limit.isHeld()) {
			throw invalid(name, "batch", "is no option of type " + limit.type(), null);
		}
		set(name, "batch", this.batch, options::batch);
		if (this.status != null && (this.status < 400 || this.status > 599)) {
			throw invalid(name, "status", "must be a status of errors, from 400 to 599: " + this.status, null);
		}
		return options.build();
	}

	private static <T> void set(String name, String option, @Nullable T value, Consumer<T> setter) {
		try {
			if (value != null) {
				setter.accept(value);
			}
		}
		catch (IllegalArgumentException ex) {
			throw invalid(name, option, "is out of range: " + value, ex);
		}
	}

	private static InvalidConfigurationException invalid(String name, String option, String problem,
			@Nullable IllegalArgumentException cause) {
		String prefix = SluiceThrottleProperties.PREFIX + '.' + (name.matches("[a-z0-9-]+") ? name : '[' + name + ']')
				+ '.';
		String property = prefix + DataObjectPropertyName.toDashedForm(option);
		return new InvalidConfigurationException("Property '" + property + "' " + problem,
				"Set '" + property + "' to a value that fits, or remove it, or change '" + prefix + "type'.", cause);
	}

}
