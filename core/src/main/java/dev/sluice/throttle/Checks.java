package dev.sluice.throttle;

import java.time.Duration;

/** Argument checks with messages of one form: name, rule, value. */
final class Checks {

	static final int MAX_RESOURCE_LENGTH = 100;

	private static final int MAX_BUCKETS = 10_000;

	/*
	 * Longer times would not leave room for the flags and the arithmetic that share one
	 * 64-bit word with a time.
	 */
	static final Duration MAX_PERIOD = Duration.ofDays(10_000);

	private Checks() {
	}

	/** Rejects an option of a limit. */
	static void positive(String option, int value) {
		if (value <= 0) {
			throw new InvalidLimitOptionException(option, "must be greater than 0: " + value);
		}
	}

	static void atMost(String option, int value, String bound, int most) {
		if (value > most) {
			throw new InvalidLimitOptionException(option, "must be at most '" + bound + "', " + most + ": " + value);
		}
	}

	static void period(Duration period) {
		notNull("period", period);
		if (period.isNegative() || period.isZero()) {
			throw new InvalidLimitOptionException("period", "must be greater than 0: " + period);
		}
		if (period.compareTo(MAX_PERIOD) > 0) {
			throw new InvalidLimitOptionException("period", "must be at most " + MAX_PERIOD + ": " + period);
		}
	}

	static void buckets(int buckets, Duration period) {
		positive("buckets", buckets);
		if (buckets > MAX_BUCKETS || buckets > period.toNanos()) {
			throw new InvalidLimitOptionException("buckets", "must be at most "
					+ Math.min(MAX_BUCKETS, period.toNanos()) + ", for a period of " + period + ": " + buckets);
		}
	}

	static void resource(String resource) {
		notNull("resource", resource);
		if (resource.isEmpty()) {
			throw new IllegalArgumentException("'resource' must not be empty");
		}
		if (resource.length() > MAX_RESOURCE_LENGTH) {
			throw new IllegalArgumentException("'resource' must have at most " + MAX_RESOURCE_LENGTH
					+ " characters, not " + resource.length() + ": '" + resource + "'");
		}
	}

	static void permits(int permits) {
		if (permits <= 0) {
			throw new IllegalArgumentException("'permits' must be greater than 0: " + permits);
		}
	}

	static void permits(String resource, int permits, int max) {
		permits(permits);
		if (permits > max) {
			throw new IllegalArgumentException(
					"'permits' must be at most " + max + ", the most '" + resource + "' can ever grant: " + permits);
		}
	}

	static UnsupportedOperationException held(String resource, String type) {
		return new UnsupportedOperationException(
				"'" + resource + "' is a " + type + ": its permits are held, and need tryAcquire or acquire");
	}

	static void notNegative(String name, int value) {
		if (value < 0) {
			throw new IllegalArgumentException("'" + name + "' must not be negative: " + value);
		}
	}

	static void notNegative(String name, Duration value) {
		notNull(name, value);
		if (value.isNegative()) {
			throw new IllegalArgumentException("'" + name + "' must not be negative: " + value);
		}
	}

	static void notNull(String name, Object value) {
		if (value == null) {
			throw new IllegalArgumentException("'" + name + "' must not be null");
		}
	}

}
