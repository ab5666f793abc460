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
	 * Whether the thread that delivers a message may block meanwhile: what is sent to the
	 * client goes out without it.
	 */
	default boolean mayBlock() {
		return false;
	}

	/**
	 * Asks a gate before each frame, if the container can.
	 * @return whether it can, and resumes exactly where it was suspended
	 */
	default boolean connect(FrameGate gate) {
		return false;
	}

}
