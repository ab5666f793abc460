package dev.sluice.websocket.container;

/**
 * Control that stops and resumes the reading of a session's socket, where the container
 * can.
 */
public interface SocketReading {

	/** Called on the thread that delivers a message; no further message is delivered. */
	void suspend();

	/** Called by any thread, only after {@link #suspend()}. */
	void resume();

	/**
	 * Returns whether the thread that delivers a message may block, because messages to
	 * the client are sent without it.
	 */
	default boolean mayBlock() {
		return false;
	}

	/**
	 * Has the container keep small buffers for messages, where it can, as they are put
	 * together elsewhere; called while the connection is opened.
	 */
	default void shrinkBuffers() {
	}

	/** Takes {@link #shrinkBuffers()} back, on the thread that delivers a message. */
	default void growBuffers() {
	}

	/**
	 * Takes a probe, a message that made the container check its buffers; called on the
	 * thread that delivers it.
	 * @return whether the message that is delivered is such a one, which no client sent
	 */
	default boolean takeProbe() {
		return false;
	}

	/**
	 * Makes the container call a gate before each frame, if supported.
	 * @return whether it can, and resumes exactly where it was suspended
	 */
	default boolean connect(FrameGate gate) {
		return false;
	}

}
