package dev.sluice.redis.rate;

import dev.sluice.throttle.Permit;

/**
 * Permit of a rate limit, which is spent, so that there is nothing to close.
 *
 * @param takenAt when, in microseconds of the server's clock
 */
record RatePermit(long takenAt) implements Permit {

	@Override
	public void close() {
	}

}
