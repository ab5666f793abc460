package dev.sluice.jdbc.throttle;

import dev.sluice.throttle.Permit;

/**
 * Permit of a rate, which is spent.
 *
 * @param at when it was granted, by the clock of the server
 */
record RatePermit(long at) implements Permit {

	@Override
	public void close() {
		// spent
	}

}
