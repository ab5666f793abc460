package dev.sluice.websocket.container;

import java.time.Duration;

/** Control over the reading of a client's messages. */
@FunctionalInterface
public interface ClientReading {

	/** Lets reading go on for good: a session that is closing must see the answer. */
	void release();

	/**
	 * Stops reading until {@link #letGo()}, where it can be stopped; called on the thread
	 * that delivers.
	 */
	default void hold() {
	}

	/**
	 * Waits until all is handled that must be before more is read, but no longer than a
	 * time.
	 */
	default void awaitHandled(Duration limit) {
	}

	/** Returns whether the calling thread handles a message that it has delivered. */
	default boolean isHandler() {
		return false;
	}

	/** Takes a {@link #hold()} back. */
	default void letGo() {
	}

}
