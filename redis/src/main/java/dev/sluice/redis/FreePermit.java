package dev.sluice.redis;

import java.util.OptionalLong;

import dev.sluice.throttle.Permit;

/**
 * A permit of a call that was admitted because Redis was away: nothing was taken, so
 * there is nothing to give back and nothing to lose, and no token proves anything.
 */
enum FreePermit implements Permit {

	INSTANCE;

	@Override
	public void close() {
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.empty();
	}

	@Override
	public void onLost(Runnable action) {
	}

}
