package dev.sluice.throttle;

import java.util.Locale;

/**
 * Type of a {@link Limit}, as named in files and requests.
 *
 * @since 0.1.0
 */
public enum LimitType {

	/** {@link Limit.SlidingLog}. */
	SLIDING_LOG,

	/** {@link Limit.FixedWindow}. */
	FIXED_WINDOW,

	/** {@link Limit.SlidingWindow}. */
	SLIDING_WINDOW,

	/** {@link Limit.DynamicWindow}. */
	DYNAMIC_WINDOW,

	/** {@link Limit.TokenBucket}. */
	TOKEN_BUCKET,

	/** {@link Limit.Semaphore}. */
	SEMAPHORE,

	/** {@link Limit.Mutex}. */
	MUTEX;

	/** Returns the type of a limit. */
	static LimitType of(Limit limit) {
		return valueOf(limit.type().toUpperCase(Locale.ROOT).replace('-', '_'));
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
