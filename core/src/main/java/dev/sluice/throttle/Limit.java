package dev.sluice.throttle;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a throttle grants to each of its keys: a rate (so many permits in a time) or a
 * number of permits held at once.
 *
 * @since 0.1.0
 */
public sealed interface Limit {

	/**
	 * Returns the type's name as properties and the endpoint spell it, such as
	 * {@code sliding-log}.
	 * @return the name of this limit's type
	 */
	String type();

	/**
	 * Returns the number itself.
	 * @return how many permits a key is granted in a period, or may hold at once
	 */
	int limit();

	/**
	 * Returns the time that the number is counted over.
	 * @return the period, or {@code null} where permits are held
	 */
	default @Nullable Duration period() {
		return null;
	}

	/**
	 * Returns the most permits that one call could ever get.
	 * @return the largest {@code permits} argument this limit accepts
	 */
	default int maxPermits() {
		return limit();
	}

	/**
	 * Returns whether permits are held until they are closed, and not merely spent.
	 * @return {@code true} for a semaphore or a mutex
	 */
	default boolean isHeld() {
		return period() == null;
	}

	/**
	 * Returns how many keys a throttle of this limit remembers unless told otherwise.
	 * @return the default cap
	 */
	default int defaultMaxKeys() {
		return 100_000;
	}

	/**
	 * Grants at most {@code limit} permits in <em>any</em> half-open window of
	 * {@code period}, and admits whenever fewer lie in it.
	 * @param limit permits in a period, at least 1
	 * @param period length of the window, at most 10,000 days
	 * @return the limit
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	static SlidingLog slidingLog(int limit, Duration period) {
		return new SlidingLog(limit, period);
	}

	/**
	 * Grants at most {@code limit} permits held at once.
	 * @param limit permits, at least 1
	 * @return the limit
	 * @throws IllegalArgumentException if {@code limit} is below 1
	 */
	static Semaphore semaphore(int limit) {
		return new Semaphore(limit);
	}

	/**
	 * Grants one permit at a time.
	 * @return the limit
	 */
	static Mutex mutex() {
		return Mutex.INSTANCE;
	}

	/**
	 * The exact limit: remembers the time of each permit, 8 bytes apiece, in a ring that
	 * grows as it is used.
	 *
	 * @param limit permits in any window of {@code period}
	 * @param period length of the window
	 * @since 0.1.0
	 */
	record SlidingLog(int limit, Duration period) implements Limit {

		public SlidingLog {
			Checks.positive("limit", limit);
			Checks.period(period);
		}

		@Override
		public String type() {
			return "sliding-log";
		}

	}

	/**
	 * Permits that are held until they are closed.
	 *
	 * @param limit permits held at once
	 * @since 0.1.0
	 */
	record Semaphore(int limit) implements Limit {

		public Semaphore {
			Checks.positive("limit", limit);
		}

		@Override
		public String type() {
			return "semaphore";
		}

	}

	/**
	 * One permit, held until it is closed.
	 *
	 * @since 0.1.0
	 */
	record Mutex() implements Limit {

		private static final Mutex INSTANCE = new Mutex();

		@Override
		public String type() {
			return "mutex";
		}

		@Override
		public int limit() {
			return 1;
		}

	}

}
