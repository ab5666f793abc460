package dev.sluice.throttle;

import java.util.List;
import java.util.Locale;

import dev.sluice.throttle.internal.argument.Checks;

/**
 * Type of a {@link Limit}, as named in files and requests.
 *
 * @since 0.1.0
 */
public enum LimitType {

	/** {@link Limit.SlidingLog}. */
	SLIDING_LOG("limit", "period"),

	/** {@link Limit.FixedWindow}. */
	FIXED_WINDOW("limit", "period"),

	/** {@link Limit.SlidingWindow}. */
	SLIDING_WINDOW("limit", "period", "buckets"),

	/** {@link Limit.DynamicWindow}. */
	DYNAMIC_WINDOW("capacity", "minLimit", "maxLimit", "buckets", "period"),

	/** {@link Limit.TokenBucket}. */
	TOKEN_BUCKET("limit", "period", "capacity"),

	/** {@link Limit.Semaphore}. */
	SEMAPHORE("limit"),

	/** {@link Limit.Mutex}. */
	MUTEX;

	private final List<String> options;

	LimitType(String... options) {
		this.options = List.of(options);
	}

	/**
	 * Returns the type of a limit.
	 * @param limit the limit
	 * @return its type
	 */
	public static LimitType of(Limit limit) {
		return of(Checks.notNull("limit", limit).type());
	}

	/**
	 * Returns the type of a name.
	 * @param name the name in files and requests, such as {@code sliding-log}
	 * @return the type
	 * @throws IllegalArgumentException if no type has that name
	 */
	public static LimitType of(String name) {
		return valueOf(Checks.notNull("name", name).toUpperCase(Locale.ROOT).replace('-', '_'));
	}

	/**
	 * Returns the options of limits of this type. A definition rejects any other option.
	 * @return the names of the options
	 */
	public List<String> options() {
		return this.options;
	}

	/**
	 * Returns the name in files and requests.
	 * @return the name in lower case with hyphens, such as {@code sliding-log}
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
