package dev.sluice.throttle;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Limit on the calls of each key of a throttle: a rate limit (permits in a time) or a
 * concurrency limit (permits held at once).
 *
 * @since 0.1.0
 */
public sealed interface Limit {

	/**
	 * Returns the name of the type in properties and the endpoint, such as {@code
	 * sliding-log}.
	 * @return the name of this limit's type
	 */
	String type();

	/**
	 * Returns the number of permits per period, or held at once.
	 * @return the number of permits of a key
	 */
	int limit();

	/**
	 * Returns the period of a rate limit.
	 * @return the period, or {@code null} for a concurrency limit
	 */
	default @Nullable Duration period() {
		return null;
	}

	/**
	 * Returns the maximum number of permits of one call.
	 * @return the largest {@code permits} argument this limit accepts; {@link #maxUsed()}
	 * unless the limit records each permit
	 */
	default int maxPermits() {
		return maxUsed();
	}

	/**
	 * Returns the maximum number of permits that count at the same time for one key.
	 * @return the number of permits; {@link #limit()} unless the limit has a capacity
	 */
	default int maxUsed() {
		return limit();
	}

	/**
	 * Returns the number of buckets of the period.
	 * @return the number of buckets; 1 unless the limit has buckets
	 */
	default int buckets() {
		return 1;
	}

	/**
	 * Returns the number of permits in a full bucket, or of all keys of a dynamic window
	 * together.
	 * @return the capacity; {@link #limit()} for limits without a separate capacity
	 */
	default int capacity() {
		return limit();
	}

	/**
	 * Returns the minimum number of permits of each key.
	 * @return the number of permits; {@link #limit()} unless the limit has bounds
	 */
	default int minLimit() {
		return limit();
	}

	/**
	 * Returns the maximum number of permits of each key.
	 * @return the number of permits; {@link #limit()} unless the limit has bounds
	 */
	default int maxLimit() {
		return limit();
	}

	/**
	 * Returns whether permits are held until they are closed, instead of being spent.
	 * @return {@code true} for a semaphore or a mutex
	 */
	default boolean isHeld() {
		return period() == null;
	}

	/**
	 * Returns the maximum number of keys of a throttle of this limit, by default.
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
	 * Grants at most {@code limit} permits in each window of {@code period}, aligned to
	 * the clock (UTC): up to twice as many may come close together where two windows
	 * meet.
	 * @param limit permits in a window, at least 1 and less than one a nanosecond
	 * @param period length of a window, at most 10,000 days
	 * @return the limit
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	static FixedWindow fixedWindow(int limit, Duration period) {
		return new FixedWindow(limit, period);
	}

	/**
	 * Grants at most {@code limit} permits in any {@code buckets} consecutive buckets of
	 * {@code period / buckets}, rounded up to a nanosecond and aligned to the clock
	 * (UTC). A window of the same length that starts within a bucket may contain up to
	 * twice as many permits; {@link #slidingLog} has no such edge.
	 * @param limit permits in so many buckets, at least 1
	 * @param period length of all buckets together, at most 10,000 days
	 * @param buckets from 1 to 10,000, and no more than the period has nanoseconds
	 * @return the limit
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	static SlidingWindow slidingWindow(int limit, Duration period, int buckets) {
		return new SlidingWindow(limit, period, buckets);
	}

	/**
	 * Grants over all keys at most {@code capacity} permits in any {@code buckets}
	 * consecutive buckets, divided evenly among the active keys. A key is active if it
	 * was granted a permit in the last {@code buckets} buckets. The remainder of the
	 * division goes to the keys that have been active longest, one permit each. If other
	 * keys become active and a key has used more than its new share, it keeps its permits
	 * and is rejected until its usage is below the share. A new key is rejected if the
	 * share of each key would fall below {@code minLimit}. As the sum never exceeds the
	 * capacity, a new key may be rejected even though it has a share.
	 * @param capacity permits for all keys together, at least 1
	 * @param minLimit the minimum share of each active key, from 1 to the capacity
	 * @param maxLimit the maximum share of one key, from {@code minLimit} to the capacity
	 * @param period length of all buckets together, at most 10,000 days
	 * @param buckets as for {@link #slidingWindow}
	 * @return the limit
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	static DynamicWindow dynamicWindow(int capacity, int minLimit, int maxLimit, Duration period, int buckets) {
		return new DynamicWindow(capacity, minLimit, maxLimit, period, buckets);
	}

	/**
	 * Grants at most {@code capacity + limit * t / period} permits in any time {@code t}:
	 * a bucket that starts full and is refilled steadily. The rate is never above
	 * {@code limit / period}, and below it by less than a millionth.
	 * @param capacity permits that may come at once, at least 1
	 * @param limit permits that flow in during a period, at least 1 and at most one a
	 * nanosecond
	 * @param period the time in which {@code limit} permits flow in, at most 10,000 days
	 * @return the limit
	 * @throws IllegalArgumentException if an argument is out of range, or if an empty
	 * bucket would need more than 10,000 days to fill
	 */
	static TokenBucket tokenBucket(int capacity, int limit, Duration period) {
		return new TokenBucket(capacity, limit, period);
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
	 * Exact rate limit that records the time of each permit, 8 bytes apiece, in a ring
	 * that grows as it is used. One call gets at most 10,000 permits.
	 *
	 * @param limit permits in any window of {@code period}
	 * @param period length of the window
	 * @since 0.1.0
	 */
	record SlidingLog(int limit, Duration period) implements Limit {

		/** Bounds the time and memory of one call, in a store too. */
		private static final int MAX_PERMITS = 10_000;

		public SlidingLog {
			LimitChecks.positive("limit", limit);
			LimitChecks.period(period);
		}

		@Override
		public String type() {
			return "sliding-log";
		}

		@Override
		public int maxPermits() {
			return Math.min(this.limit, MAX_PERMITS);
		}

	}

	/**
	 * Rate limit with a count for each window of the clock.
	 *
	 * @param limit permits in each window
	 * @param period length of a window
	 * @since 0.1.0
	 */
	record FixedWindow(int limit, Duration period) implements Limit {

		public FixedWindow {
			LimitChecks.positive("limit", limit);
			LimitChecks.period(period);
			if (limit >= period.toNanos()) {
				throw new InvalidLimitOptionException("limit",
						"must be less than one a nanosecond: " + limit + " in " + period);
			}
		}

		@Override
		public String type() {
			return "fixed-window";
		}

	}

	/**
	 * Rate limit with a count for each of the last buckets.
	 *
	 * @param limit permits in {@code buckets} consecutive buckets
	 * @param period length of all buckets together
	 * @param buckets how many there are
	 * @since 0.1.0
	 */
	record SlidingWindow(int limit, Duration period, int buckets) implements Limit {

		public SlidingWindow {
			LimitChecks.positive("limit", limit);
			LimitChecks.period(period);
			LimitChecks.buckets(buckets, period);
		}

		@Override
		public String type() {
			return "sliding-window";
		}

	}

	/**
	 * Sliding window that all active keys share.
	 *
	 * @param capacity permits for all keys in {@code buckets} consecutive buckets
	 * @param minLimit the least that each active key may have
	 * @param maxLimit the most that one key may have
	 * @param period length of all buckets together
	 * @param buckets how many there are
	 * @since 0.1.0
	 */
	record DynamicWindow(int capacity, int minLimit, int maxLimit, Duration period, int buckets) implements Limit {

		public DynamicWindow {
			LimitChecks.positive("capacity", capacity);
			LimitChecks.positive("minLimit", minLimit);
			LimitChecks.positive("maxLimit", maxLimit);
			LimitChecks.atMost("minLimit", minLimit, "capacity", capacity);
			LimitChecks.atMost("minLimit", minLimit, "maxLimit", maxLimit);
			LimitChecks.atMost("maxLimit", maxLimit, "capacity", capacity);
			LimitChecks.period(period);
			LimitChecks.buckets(buckets, period);
		}

		@Override
		public String type() {
			return "dynamic-window";
		}

		/** Returns {@code maxLimit}, the most one key can be granted. */
		@Override
		public int limit() {
			return this.maxLimit;
		}

		@Override
		public int defaultMaxKeys() {
			return 1_000;
		}

	}

	/**
	 * Rate limit with a bucket of permits that is refilled steadily.
	 *
	 * @param capacity permits in a full bucket
	 * @param limit permits that flow in during a period
	 * @param period the time in which {@code limit} permits flow in
	 * @since 0.1.0
	 */
	record TokenBucket(int capacity, int limit, Duration period) implements Limit {

		public TokenBucket {
			LimitChecks.positive("capacity", capacity);
			LimitChecks.positive("limit", limit);
			LimitChecks.period(period);
			if (limit > period.toNanos()) {
				throw new InvalidLimitOptionException("limit",
						"must be at most one a nanosecond: " + limit + " in " + period);
			}
			if (period.multipliedBy(capacity).dividedBy(limit).compareTo(LimitChecks.MAX_PERIOD) > 0) {
				throw new InvalidLimitOptionException("capacity", "must be refilled within " + LimitChecks.MAX_PERIOD
						+ ", not over that: " + capacity + " at " + limit + " in " + period);
			}
		}

		@Override
		public String type() {
			return "token-bucket";
		}

		@Override
		public int maxUsed() {
			return this.capacity;
		}

	}

	/**
	 * Concurrency limit whose permits are held until they are closed.
	 *
	 * @param limit permits held at once
	 * @since 0.1.0
	 */
	record Semaphore(int limit) implements Limit {

		public Semaphore {
			LimitChecks.positive("limit", limit);
		}

		@Override
		public String type() {
			return "semaphore";
		}

	}

	/**
	 * Concurrency limit of one permit, held until it is closed.
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
