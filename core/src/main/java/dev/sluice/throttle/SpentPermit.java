package dev.sluice.throttle;

/** Permit of a call that holds nothing, so that nothing is released. */
enum SpentPermit implements Permit {

	INSTANCE;

	@Override
	public void close() {
		// spent
	}

	@Override
	public String toString() {
		return "Permit[spent]";
	}

}
