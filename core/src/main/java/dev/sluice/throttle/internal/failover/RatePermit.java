package dev.sluice.throttle.internal.failover;

import dev.sluice.throttle.Permit;

/**
 * Permit of a rate limit, which is spent, so that there is nothing to close.
 *
 * @param takenAt when, by the server's clock
 */
public record RatePermit(long takenAt) implements Permit {

	@Override
	public void close() {
	}

}
