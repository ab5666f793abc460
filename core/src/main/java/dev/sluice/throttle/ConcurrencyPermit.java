package dev.sluice.throttle;

import java.util.OptionalLong;

/** One entry of an owner into a mutex or semaphore. */
final class ConcurrencyPermit implements Permit {

	final Holding hold;

	/** Guarded by the hold's cell. */
	boolean closed;

	ConcurrencyPermit(Holding hold) {
		this.hold = hold;
	}

	@Override
	public void close() {
		this.hold.throttle.exit(this);
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(this.hold.token);
	}

	@Override
	public void onLost(Runnable action) {
		// never lost in memory
	}

	@Override
	public String toString() {
		return "Permit[" + this.hold.throttle.resource() + ", token=" + this.hold.token + "]";
	}

}
