package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.Objects;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitType;

/** Terms of a limit in the form that functions of the database take. */
final class Terms {

	private static final int MOST_LOGGED = 1000;

	private static final long LONGEST = Duration.ofDays(36_500).toNanos();

	private static final long FINEST = 1000;

	private Terms() {
	}

	/**
	 * Checks whether the database can keep a limit.
	 * @throws IllegalArgumentException if it cannot
	 */
	static void check(String resource, Limit limit) {
		LimitType type = LimitType.of(limit);
		if (type == LimitType.DYNAMIC_WINDOW) {
			throw new IllegalArgumentException("Throttle '" + resource
					+ "' cannot be kept in PostgreSQL, as it is a dynamic window; use a sliding window, or Redis");
		}
		if (type == LimitType.SLIDING_LOG && limit.limit() > MOST_LOGGED) {
			throw new IllegalArgumentException(
					"'limit' must be at most " + MOST_LOGGED + " for a sliding log in PostgreSQL, not " + limit.limit()
							+ "; use a sliding window for throttle '" + resource + "'");
		}
		if (!limit.isHeld() && (period(limit) > LONGEST || limit.maxPermits() > LONGEST / width(limit))) {
			throw new IllegalArgumentException("'period' must be at most P36500D in PostgreSQL: " + limit.period());
		}
	}

	static String of(Definition definition, Duration lease, boolean relaxed) {
		Limit limit = definition.limit();
		long[] terms = { definition.epoch(), kind(limit), limit.maxPermits(), 0, 1, definition.options().maxWaiting(),
				lease.toNanos(), relaxed ? 1 : 0 };
		if (!limit.isHeld()) {
			terms[4] = width(limit);
			terms[3] = (kind(limit) == 2) ? terms[4] * limit.buckets() : period(limit);
		}
		StringBuilder text = new StringBuilder("{");
		for (long term : terms) {
			text.append((text.length() > 1) ? "," : "").append(term);
		}
		return text.append('}').toString();
	}

	private static int kind(Limit limit) {
		return switch (LimitType.of(limit)) {
			case SLIDING_LOG -> 1;
			case TOKEN_BUCKET -> 3;
			default -> limit.isHeld() ? 4 : 2;
		};
	}

	/** Returns the width of a bucket, in full microseconds, or the cost of a token. */
	private static long width(Limit limit) {
		return switch (kind(limit)) {
			case 1 -> 1;
			case 3 -> roundedUp(period(limit), limit.limit());
			default -> roundedUp(period(limit), limit.buckets() * FINEST) * FINEST;
		};
	}

	private static long period(Limit limit) {
		Duration period = Objects.requireNonNull(limit.period());
		return (period.toDays() > 36_500) ? Long.MAX_VALUE : period.toNanos();
	}

	private static long roundedUp(long number, long by) {
		return number / by + ((number % by > 0) ? 1 : 0);
	}

}
