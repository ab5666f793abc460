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
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of one limit.
 *
 * @param type Type of the limit.
 * @param limit Number of permits in each period, or at the same time for a mutex or
 * semaphore.
 * @param period Period of a rate limit.
 * @param buckets Number of buckets that the period is divided into.
 * @param capacity Number of permits that a token bucket holds, or that all keys of a
 * dynamic window share.
 * @param minLimit Minimum number of permits for one key of a dynamic window.
 * @param maxLimit Maximum number of permits for one key of a dynamic window.
 * @param dryRun Whether to count calls without rejecting any.
 * @param maxKeys Maximum number of keys to remember. If not set, depends on the type.
 * @param atMaxKeys Strategy for a new key when the maximum number of keys is reached.
 * @param maxWaiting Maximum number of calls that wait for one key.
 * @param failurePolicy Failure policy while the store that nodes share is unavailable. If
 * not set, the failure policy of the store applies.
 * @param lease Time after which a held permit expires when its node no longer renews it.
 * If not set, the lease of the store applies.
 * @param batch Maximum number of permits of a rate limit that a node acquires from the
 * store at once. If not set, the batch size of the store applies.
 * @param status HTTP status of responses to requests that the limit rejects. If not set,
 * 429.
 * @since 0.1.0
 */
public record LimitProperties(@DefaultValue("sliding-log") LimitType type, @Nullable Integer limit,
		@Nullable Duration period, @Nullable Integer buckets, @Nullable Integer capacity, @Nullable Integer minLimit,
		@Nullable Integer maxLimit, @DefaultValue("false") boolean dryRun, @Nullable Integer maxKeys,
		@DefaultValue("evict-idle") AtMaxKeys atMaxKeys, @DefaultValue("10000") int maxWaiting,
		@Nullable FailurePolicy failurePolicy, @Nullable Duration lease, @Nullable Integer batch,
		@Nullable Integer status) {

	/** Creates the limit. An option that its type does not support stops the start. */
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
	 * Creates the options of the limit. The options of leases require a limit with held
	 * permits.
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
