package dev.sluice.cluster.resume;

import java.util.concurrent.CompletableFuture;

/** Callbacks of a session for changes of one of its connections. */
public interface ConnectionHooks {

	/**
	 * Called when another connection has replaced this one, whose place is released.
	 * @return ends when the other nodes have been notified, and may fail
	 */
	CompletableFuture<?> replaced();

	/**
	 * Called when the connection was lost, or replaced, in its turn; has an effect once.
	 */
	void suspended();

	/**
	 * Called when the session has continued elsewhere without waiting for this
	 * connection's turn.
	 * @return whether {@link #suspended} will not be called
	 */
	boolean fence();

	/** Called after {@link #suspended} if the session was not resumed in time. */
	void expired();

	/** Called after {@link #suspended} if the session has continued elsewhere. */
	void released();

}
