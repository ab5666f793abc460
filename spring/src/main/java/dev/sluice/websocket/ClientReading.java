package dev.sluice.websocket;

/** Whether what a client sends is read. */
@FunctionalInterface
interface ClientReading {

	/** Lets reading go on for good: a session that is closing must see the answer. */
	void release();

	/**
	 * Stops reading until {@link #letGo()}, where it can be stopped; called on the thread
	 * that delivers.
	 */
	default void hold() {
	}

	/** Takes a {@link #hold()} back. */
	default void letGo() {
	}

}
