package dev.sluice.aop.spi;

import java.time.Duration;

import dev.sluice.annotation.Action;

/**
 * Policy for calls without a permit whose annotations do not specify one.
 *
 * @param action the action, not {@link Action#DEFAULT}
 * @param maxWait how long a call may wait, for {@link Action#WAIT}
 * @since 0.1.0
 */
public record ThrottlePolicy(Action action, Duration maxWait) {

	/** Rejects; a call with the action {@code WAIT} waits for up to 5 seconds. */
	public static final ThrottlePolicy DEFAULTS = new ThrottlePolicy(Action.REJECT, Duration.ofSeconds(5));

	/**
	 * Creates a policy.
	 * @throws IllegalArgumentException if the action is {@code DEFAULT} or the time is
	 * negative
	 */
	public ThrottlePolicy {
		if (action == Action.DEFAULT || action == Action.RETRY) {
			throw new IllegalArgumentException("'action' must be reject, wait or drop");
		}
		if (maxWait.isNegative()) {
			throw new IllegalArgumentException("'maxWait' must not be negative: " + maxWait);
		}
	}

}
