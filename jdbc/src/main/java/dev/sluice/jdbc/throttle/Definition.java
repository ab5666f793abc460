package dev.sluice.jdbc.throttle;

import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;

import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;

/**
 * A limit as all nodes know it: as terms for people and for nodes, and as numbers for the
 * functions.
 *
 * @param version grows with each change
 * @param limit what it grants
 * @param options the options beside it
 */
record Definition(long version, Limit limit, LimitOptions options) {

	/** The most entries that the state of a key may have. */
	private static final int MOST_ENTRIES = 1_000;

	private static final long FINEST_COST = 1_000_000;

	private static final int MOST_SHIFT = 20;

	/**
	 * Requires that the state of a key is small enough to be rewritten with each
	 * decision.
	 * @throws IllegalArgumentException if it is not
	 */
	static void requireSmall(Limit limit) {
		boolean log = LimitType.of(limit) == LimitType.SLIDING_LOG;
		if (log && limit.limit() > MOST_ENTRIES || Math.min(limit.limit(), limit.buckets()) > MOST_ENTRIES) {
			throw new IllegalArgumentException("'" + (log ? "limit" : "buckets") + "' of a " + limit.type()
					+ " must be at most " + MOST_ENTRIES + " in PostgreSQL: " + (log ? limit.limit() : limit.buckets())
					+ ". Use " + (log ? "a sliding-window" : "fewer"));
		}
	}

	String terms() {
		StringJoiner terms = new StringJoiner(" ");
		terms.add("type=" + this.limit.type());
		LimitDefinition.of(this.limit).options().forEach((option, value) -> terms.add(option + "=" + value));
		terms.add("dryRun=" + this.options.dryRun())
			.add("maxKeys=" + this.options.maxKeys(this.limit))
			.add("atMaxKeys=" + this.options.atMaxKeys())
			.add("maxWaiting=" + this.options.maxWaiting());
		if (this.options.failurePolicy() != null) {
			terms.add("failurePolicy=" + this.options.failurePolicy());
		}
		if (this.options.lease() != null) {
			terms.add("lease=" + this.options.lease());
		}
		if (this.options.batch() != null) {
			terms.add("batch=" + this.options.batch());
		}
		return terms.toString();
	}

	static Definition parse(long version, String text) {
		Map<String, String> terms = new LinkedHashMap<>();
		for (String word : text.split(" ")) {
			int sign = word.indexOf('=');
			terms.put(word.substring(0, sign), word.substring(sign + 1));
		}
		LimitType type = LimitType.of(String.valueOf(terms.get("type")));
		LimitDefinition definition = LimitDefinition.of(type);
		for (String option : type.options()) {
			String value = terms.get(option);
			if (value != null) {
				definition = definition.option(option,
						option.equals("period") ? Duration.parse(value) : Integer.valueOf(value));
			}
		}
		Limit limit = definition.toLimit();
		LimitOptions.Builder options = LimitOptions.builder()
			.dryRun(Boolean.parseBoolean(terms.get("dryRun")))
			.atMaxKeys(AtMaxKeys.valueOf(String.valueOf(terms.get("atMaxKeys"))))
			.maxWaiting(Integer.parseInt(String.valueOf(terms.get("maxWaiting"))));
		int maxKeys = Integer.parseInt(String.valueOf(terms.get("maxKeys")));
		if (maxKeys != limit.defaultMaxKeys()) {
			options.maxKeys(maxKeys);
		}
		option(terms, "failurePolicy").map(FailurePolicy::valueOf).ifPresent(options::failurePolicy);
		option(terms, "lease").map(Duration::parse).ifPresent(options::lease);
		option(terms, "batch").map(Integer::valueOf).ifPresent(options::batch);
		return new Definition(version, limit, options.build());
	}

	private static Optional<String> option(Map<String, String> terms, String name) {
		return Optional.ofNullable(terms.get(name));
	}

	/** Returns how the functions name the kind. */
	String kind() {
		return switch (LimitType.of(this.limit)) {
			case SLIDING_LOG, FIXED_WINDOW, SLIDING_WINDOW -> "W";
			case DYNAMIC_WINDOW -> "D";
			case TOKEN_BUCKET -> "T";
			case SEMAPHORE, MUTEX -> "H";
		};
	}

	/** Returns how long a permit is held when nothing is heard of its node. */
	Duration lease(Duration otherwise) {
		Duration lease = this.options.lease();
		return (lease != null) ? lease : otherwise;
	}

	/** Returns most, length, buckets, capacity, least, waiting and lease. */
	Long[] numbers(Duration defaultLease) {
		long length = 0;
		long buckets = 0;
		long most = this.limit.maxLimit();
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
				most = this.limit.capacity();
				while (cost(buckets) < FINEST_COST && buckets < MOST_SHIFT) {
					buckets++;
				}
				length = cost(buckets);
			}
			case SEMAPHORE, MUTEX -> most = this.limit.limit();
		}
		return new Long[] { most, length, buckets, (long) this.limit.capacity(), (long) this.limit.minLimit(),
				(long) this.options.maxWaiting(), Math.max(1, lease(defaultLease).toNanos() / 1000) };
	}

	/** Returns what a token costs, in microseconds, finer by so many bits. */
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
