package dev.sluice.throttle;

import java.util.OptionalLong;

/** Permit of every rate: spent when granted, so that nothing is released. */
class SpentPermit implements Permit {

	static final SpentPermit INSTANCE = new SpentPermit();

	SpentPermit() {
	}

	@Override
	public void close() {
		// spent
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.empty();
	}

	@Override
	public void onLost(Runnable action) {
		// never lost
	}

	@Override
	public String toString() {
		return "Permit[spent]";
	}

}
