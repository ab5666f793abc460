package dev.sluice.redis.rate;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.LongStream;

import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.Script;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitType;

/**
 * Rate limit in the form that its script uses: in microseconds, rounded so that it grants
 * no more permits.
 *
 * @param limit the limit
 * @param script the script that decides
 * @param numbers the numbers of the limit, as arguments of the script
 */
record CompiledRate(Limit limit, Script script, String[] numbers) {

	/** Divisor of the cost of a token; rounding adds less than that part. */
	private static final long FINEST_COST = 1_000_000;

	private static final int MOST_SHIFT = 30;

	static CompiledRate of(Limit limit) {
		return switch (LimitType.of(limit)) {
			case SLIDING_LOG -> new CompiledRate(limit, Script.SLIDING_LOG, numbers(limit.limit(), bucket(limit), 0));
			case FIXED_WINDOW, SLIDING_WINDOW ->
				new CompiledRate(limit, Script.WINDOW, numbers(limit.limit(), bucket(limit), limit.buckets()));
			case DYNAMIC_WINDOW -> new CompiledRate(limit, Script.DYNAMIC_WINDOW,
					numbers(limit.maxLimit(), bucket(limit), limit.buckets(), limit.capacity(), limit.minLimit()));
			case TOKEN_BUCKET -> tokenBucket(limit);
			default -> throw new IllegalArgumentException("Not a rate: " + limit);
		};
	}

	private static CompiledRate tokenBucket(Limit bucket) {
		int shift = 0;
		while (cost(bucket, shift) < FINEST_COST && shift < MOST_SHIFT) {
			shift++;
		}
		return new CompiledRate(bucket, Script.TOKEN_BUCKET, numbers(bucket.capacity(), cost(bucket, shift), shift));
	}

	/**
	 * Returns the cost of a token in a binary fraction of a microsecond, rounded up.
	 */
	private static long cost(Limit bucket, int shift) {
		BigInteger divisor = BigInteger.valueOf(1000L * bucket.limit());
		return BigInteger.valueOf(period(bucket))
			.shiftLeft(shift)
			.add(divisor)
			.subtract(BigInteger.ONE)
			.divide(divisor)
			.longValueExact();
	}

	private static long period(Limit limit) {
		Duration period = Objects.requireNonNull(limit.period());
		return period.toNanos();
	}

	private static long bucket(Limit limit) {
		return micros(roundedUp(period(limit), limit.buckets()));
	}

	private static long micros(long nanos) {
		return roundedUp(nanos, 1000);
	}

	private static long roundedUp(long number, int by) {
		return (number + by - 1) / by;
	}

	private static String[] numbers(long... numbers) {
		return LongStream.of(numbers).mapToObj(Long::toString).toArray(String[]::new);
	}

	/** Returns the keys that the script uses. */
	String[] keys(KeyNames names, String resource, String key) {
		return switch (this.script) {
			case DYNAMIC_WINDOW -> names.sharingKeysOf(resource, key);
			case SLIDING_LOG -> names.loggingKeysOf(resource, key);
			default -> names.keysOf(resource, key);
		};
	}

	/** Returns whether the keys of the limit share entries, and so a slot. */
	boolean isShared() {
		return this.script == Script.DYNAMIC_WINDOW;
	}

}
