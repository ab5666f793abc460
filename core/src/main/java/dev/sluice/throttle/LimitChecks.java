package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.throttle.internal.argument.Checks;

/** Checks of the options of a limit. */
final class LimitChecks {

	private static final int MAX_BUCKETS = 10_000;

	/*
	 * Longer times would not leave room for the flags and the arithmetic that share one
	 * 64-bit word with a time.
	 */
	static final Duration MAX_PERIOD = Duration.ofDays(10_000);

	private LimitChecks() {
	}

	static int positive(String option, int value) {
		if (value <= 0) {
			throw new InvalidLimitOptionException(option, "must be greater than 0: " + value);
		}
		return value;
	}

	static void atMost(String option, int value, String bound, int max) {
		if (value > max) {
			throw new InvalidLimitOptionException(option, "must be at most '" + bound + "', " + max + ": " + value);
		}
	}

	static void period(Duration period) {
		Checks.notNull("period", period);
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

}
