package dev.sluice.aop.internal.call;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Decision whether and when a rejected call is tried again, of {@code Action.RETRY}.
 *
 * @param delay the least time before each attempt
 * @param maxRetries how often a call is tried again at most
 */
public record CallRetryPolicy(Duration delay, int maxRetries) {

	/**
	 * Returns the time before the next attempt: at least that after which it may be
	 * admitted, and up to half as much again by chance, so that calls that were rejected
	 * together do not come back together.
	 */
	Duration delay(@Nullable Duration retryAfter) {
		Duration least = (retryAfter != null && retryAfter.compareTo(this.delay) > 0) ? retryAfter : this.delay;
		return least.plusNanos(ThreadLocalRandom.current().nextLong(least.toNanos() / 2 + 1));
	}

}
