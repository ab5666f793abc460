package dev.sluice.batch;

import java.time.Duration;

import dev.sluice.internal.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Strategy that decides whether and when a failed batch is passed to the pump again.
 * Until then it counts as in flight. Must be safe for use by many threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RetryPolicy {

	/**
	 * Decides whether a failed batch is retried. If this method throws, the batch is
	 * given up.
	 * @param failures how often the batch has failed; at least 1
	 * @param failure the last failure
	 * @return how long to wait before the next attempt, or {@code null} to give the batch
	 * up
	 */
	@Nullable Duration delayAfter(int failures, Throwable failure);

	/**
	 * Returns the policy that gives up every failed batch.
	 * @return no retries
	 */
	static RetryPolicy none() {
		return (failures, failure) -> null;
	}

	/**
	 * Returns a policy that waits longer after each failure: {@code first}, then twice as
	 * long each time, up to {@code longest}.
	 * @param retries the number of retries of a batch; greater than 0;
	 * {@link Integer#MAX_VALUE} is no limit
	 * @param first the wait before the first retry; not negative
	 * @param longest the longest wait; at least {@code first}
	 * @return the policy
	 * @throws IllegalArgumentException if {@code retries} is not greater than 0,
	 * {@code first} is negative, or {@code longest} is less than {@code first}
	 */
	static RetryPolicy exponential(int retries, Duration first, Duration longest) {
		Arguments.positive("retries", retries);
		Arguments.notNegative("first", first);
		if (Arguments.notNull("longest", longest).compareTo(first) < 0) {
			throw new IllegalArgumentException("'longest' must be at least 'first': " + longest + ", " + first);
		}
		return (failures, failure) -> {
			if (failures > retries) {
				return null;
			}
			Duration delay = first;
			for (int doubled = 1; doubled < failures && delay.compareTo(longest) < 0 && !delay.isZero(); doubled++) {
				delay = delay.multipliedBy(2);
			}
			return (delay.compareTo(longest) < 0) ? delay : longest;
		};
	}

}
