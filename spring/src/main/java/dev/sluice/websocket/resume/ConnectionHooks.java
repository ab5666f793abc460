package dev.sluice.websocket.resume;

import java.util.concurrent.CompletableFuture;

/** Callbacks of a session for what becomes of one of its connections. */
public interface ConnectionHooks {

	/**
	 * Another connection has taken the place of this one, which is given back.
	 * @return ends when the other nodes know, and may fail
	 */
	CompletableFuture<?> replaced();

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
