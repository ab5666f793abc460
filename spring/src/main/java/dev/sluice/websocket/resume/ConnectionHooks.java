package dev.sluice.websocket.resume;

import java.util.concurrent.CompletableFuture;

/** Callbacks of a session for changes of one of its connections. */
public interface ConnectionHooks {

	/**
	 * Called when another connection has replaced this one, whose place is released.
	 * @return ends when the other nodes have been notified, and may fail
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
