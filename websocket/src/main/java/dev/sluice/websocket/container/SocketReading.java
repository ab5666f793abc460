package dev.sluice.websocket.container;

/**
 * Control that stops and resumes the reading of a session's socket, if the container
 * supports it.
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
	 * Makes the container keep small buffers for messages, if supported, because messages
	 * are assembled elsewhere; called while the connection is opened.
	 */
	default void shrinkBuffers() {
	}

	/** Reverts {@link #shrinkBuffers()}, on the delivering thread. */
	default void growBuffers() {
	}

	/**
	 * Takes a probe, a message that made the container check its buffers; called on the
	 * thread that delivers it.
	 * @return whether the delivered message is a probe, which no client sent
	 */
	default boolean takeProbe() {
		return false;
	}

	/**
	 * Makes the container call a gate before each frame, if supported.
	 * @return whether the container supports it, and resumes exactly where it was
	 * suspended
	 */
	default boolean connect(FrameGate gate) {
		return false;
	}

}
