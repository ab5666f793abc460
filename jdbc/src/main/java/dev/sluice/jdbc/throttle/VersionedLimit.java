package dev.sluice.jdbc.throttle;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.internal.failover.LimitTerms;

/**
 * Definition of a limit that all nodes share. Users and nodes read its terms; the
 * functions in the database read its numbers.
 *
 * @param version grows with each change
 * @param limit the limit
 * @param options the options of the limit
 */
record VersionedLimit(long version, Limit limit, LimitOptions options) {

	/** The most entries that the state of a key may have. */
	private static final int MOST_ENTRIES = 1_000;

	private static final long FINEST_COST = 1_000_000;

	private static final int MOST_SHIFT = 20;

	/**
	 * Requires that a limit can be kept in the database: that the state of a key is small
	 * enough to be rewritten with each decision, and that no permits are to be taken
	 * ahead.
	 * @throws IllegalArgumentException if it cannot
	 */
	static void requireSupported(Limit limit, LimitOptions options) {
		if (options.batch() != null && options.batch() > 1) {
			throw new IllegalArgumentException("'batch' must be 1 in PostgreSQL, where each decision is exact: "
					+ options.batch() + ". Leave it out, or keep the limit in Redis");
		}
		boolean log = LimitType.of(limit) == LimitType.SLIDING_LOG;
		if (log && limit.limit() > MOST_ENTRIES || Math.min(limit.limit(), limit.buckets()) > MOST_ENTRIES) {
			throw new IllegalArgumentException("'" + (log ? "limit" : "buckets") + "' of a " + limit.type()
					+ " must be at most " + MOST_ENTRIES + " in PostgreSQL: " + (log ? limit.limit() : limit.buckets())
					+ ". Use " + (log ? "a sliding-window or a token-bucket" : "fewer"));
		}
	}

	String terms() {
		return new LimitTerms(this.limit, this.options).text();
	}

	static VersionedLimit parse(long version, String text) {
		LimitTerms terms = LimitTerms.parse(text);
		return new VersionedLimit(version, terms.limit(), terms.options());
	}

	/** Returns the name of the kind in the functions. */
	String kind() {
		return switch (LimitType.of(this.limit)) {
			case SLIDING_LOG, FIXED_WINDOW, SLIDING_WINDOW -> "W";
			case DYNAMIC_WINDOW -> "D";
			case TOKEN_BUCKET -> "T";
			case SEMAPHORE, MUTEX -> "H";
		};
	}

	/** Returns how many permits a key can have at most. */
	long most() {
		return switch (LimitType.of(this.limit)) {
			case SLIDING_LOG, FIXED_WINDOW, SLIDING_WINDOW, DYNAMIC_WINDOW -> this.limit.maxLimit();
			case TOKEN_BUCKET -> this.limit.capacity();
			case SEMAPHORE, MUTEX -> this.limit.limit();
		};
	}

	/** Returns how long a permit is held without a renewal by its node. */
	Duration lease(Duration otherwise) {
		Duration lease = this.options.lease();
		return (lease != null) ? lease : otherwise;
	}

	/** Returns most, length, buckets, capacity, least, waiting and lease. */
	Long[] numbers(Duration defaultLease) {
		long length = 0;
		long buckets = 0;
		switch (LimitType.of(this.limit)) {
			case SLIDING_LOG -> {
				length = 1;
				buckets = roundedUp(period(), 1000);
			}
			case FIXED_WINDOW, SLIDING_WINDOW, DYNAMIC_WINDOW -> {
				buckets = this.limit.buckets();
				length = roundedUp(roundedUp(period(), buckets), 1000);
			}
			case TOKEN_BUCKET -> {
				while (cost(buckets) < FINEST_COST && buckets < MOST_SHIFT) {
					buckets++;
				}
				length = cost(buckets);
			}
			case SEMAPHORE, MUTEX -> {
			}
		}
		return new Long[] { most(), length, buckets, (long) this.limit.capacity(), (long) this.limit.minLimit(),
				(long) this.options.maxWaiting(), Math.max(1, lease(defaultLease).toNanos() / 1000) };
	}

	/** Returns the cost of a token in microseconds, shifted left by a number of bits. */
	private long cost(long shift) {
		BigInteger divisor = BigInteger.valueOf(1000L * this.limit.limit());
		return BigInteger.valueOf(period())
			.shiftLeft((int) shift)
			.add(divisor)
			.subtract(BigInteger.ONE)
			.divide(divisor)
			.longValueExact();
	}

	private long period() {
		return Objects.requireNonNull(this.limit.period()).toNanos();
	}

	private static long roundedUp(long number, long by) {
		return (number + by - 1) / by;
	}

}
