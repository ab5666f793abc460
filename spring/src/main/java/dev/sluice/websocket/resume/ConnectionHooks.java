package dev.sluice.websocket.resume;

/** Callbacks of a session for what becomes of one of its connections. */
public interface ConnectionHooks {

	/** The connection was lost, or replaced; called in its turn, has an effect once. */
	void suspended();

	/**
	 * The session has gone on elsewhere, and does not wait for this connection's turn.
	 * @return whether {@link #suspended} will not be called
	 */
	boolean fence();

	/** The session was not resumed in time; called after {@link #suspended}. */
	void expired();

	/** The session has gone on elsewhere; called after {@link #suspended}. */
	void released();

}
