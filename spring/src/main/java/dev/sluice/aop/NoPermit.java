package dev.sluice.aop;

import java.util.OptionalLong;

import dev.sluice.throttle.Permit;

/** What a call holds that no limit guards. */
enum NoPermit implements Permit {

	INSTANCE;

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.empty();
	}

	@Override
	public void onLost(Runnable callback) {
		// Nothing to lose
	}

	@Override
	public void close() {
		// Nothing to give back
	}

}
