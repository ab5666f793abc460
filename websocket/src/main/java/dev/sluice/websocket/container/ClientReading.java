package dev.sluice.websocket.container;

import java.time.Duration;

/** Control over the reading of a client's messages. */
@FunctionalInterface
public interface ClientReading {

	/** Resumes reading permanently: a session that is closing must receive the answer. */
	void release();

	/**
	 * Stops reading until {@link #endHold()}, if supported; called on the delivering
	 * thread.
	 */
	default void hold() {
	}

	/**
	 * Waits, up to a time limit, until all messages are handled that must precede further
	 * reading.
	 */
	default void awaitHandled(Duration limit) {
	}

	/** Returns whether the calling thread handles a message that it has delivered. */
	default boolean isHandler() {
		return false;
	}

	/** Takes a {@link #hold()} back. */
	default void endHold() {
	}

}
