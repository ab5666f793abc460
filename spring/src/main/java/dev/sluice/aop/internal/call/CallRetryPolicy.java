package dev.sluice.aop.internal.call;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Policy for retries of a rejected call, of {@code Action.RETRY}.
 *
 * @param delay the minimum time before each attempt
 * @param maxRetries the maximum number of retries
 */
public record CallRetryPolicy(Duration delay, int maxRetries) {

	/**
	 * Returns the time before the next attempt: at least the time after which it may be
	 * admitted, plus up to half of it at random, so that calls that were rejected
	 * together do not retry together.
	 */
	Duration delay(@Nullable Duration retryAfter) {
		Duration least = (retryAfter != null && retryAfter.compareTo(this.delay) > 0) ? retryAfter : this.delay;
		return least.plusNanos(ThreadLocalRandom.current().nextLong(least.toNanos() / 2 + 1));
	}

}
