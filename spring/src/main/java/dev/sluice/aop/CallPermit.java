package dev.sluice.aop;

import java.util.OptionalLong;

import dev.sluice.throttle.Permit;

/** The permits of a call whose end is told by whoever entered it. */
record CallPermit(GatedCall call, Permit permit) implements Permit {

	@Override
	public void close() {
		this.call.end(this.permit, false);
	}

	@Override
	public OptionalLong fencingToken() {
		return this.permit.fencingToken();
	}

	@Override
	public void onLost(Runnable action) {
		this.permit.onLost(action);
	}

}
