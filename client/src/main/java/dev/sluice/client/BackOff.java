package dev.sluice.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/** Delays between connections, each a random part of a time that doubles. */
final class BackOff {

	private static final Duration FIRST = Duration.ofMillis(500);

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private static final int MAX_DOUBLINGS = 6;

	private final RandomGenerator random;

	private int attempts;

	BackOff(RandomGenerator random) {
		this.random = random;
	}

	private Duration next() {
		Duration doubled = FIRST.multipliedBy(1L << Math.min(this.attempts++, MAX_DOUBLINGS));
		return part((doubled.compareTo(LONGEST) < 0) ? doubled : LONGEST);
	}

	void reset() {
		this.attempts = 0;
	}

	/**
	 * Returns the delay before the next connection.
	 * @param hint the delay that the server requested, if any
	 * @param greeted whether the last connection was greeted; otherwise the server counts
	 * as unavailable
	 */
	Duration next(@Nullable ReconnectHint hint, boolean greeted) {
		if (hint == null) {
			return next();
		}
		Duration hinted = hint.from().plus(part(hint.to().minus(hint.from())));
		if (greeted) {
			return hinted;
		}
		Duration backOff = next();
		return (hinted.compareTo(backOff) > 0) ? hinted : backOff;
	}

	private Duration part(Duration time) {
		return Duration.ofNanos((long) (time.toNanos() * this.random.nextDouble()));
	}

	/**
	 * Interval in which the server expects the client to reconnect.
	 */
	record ReconnectHint(Duration from, Duration to) {

		private static final double MAX_SECONDS = 300;

		/** Returns the hint of two numbers of seconds, or null if they are not valid. */
		static @Nullable ReconnectHint of(double from, double to) {
			return (from >= 0 && to >= from) ? new ReconnectHint(seconds(from), seconds(to)) : null;
		}

		private static Duration seconds(double seconds) {
			return Duration.ofMillis((long) (Math.min(seconds, MAX_SECONDS) * 1000));
		}

	}

}
