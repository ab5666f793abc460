package dev.sluice.websocket.inbound;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** A client's message that waits to be handled, or is being handled. */
public class WaitingMessage {

	/*
	 * "handling" is written once. InboundPressure reads it after the reason to discard
	 * messages was written, or reads that reason afterwards. The neighbors are guarded by
	 * the lock of the list. Attacked by InboundPressureTests.
	 */

	private final int cost;

	private volatile @Nullable CompletableFuture<?> handling;

	/** The neighbors in the session's list, which is guarded by its lock. */
	@Nullable WaitingMessage previous;

	@Nullable WaitingMessage next;

	public WaitingMessage(int cost) {
		this.cost = cost;
	}

	/** The cost of the message until it is handled. */
	final int cost() {
		return this.cost;
	}

	/** Sets the future that ends when the message is handled. */
	final void handledBy(CompletableFuture<?> handling) {
		this.handling = handling;
	}

	/**
	 * Discards the message, if its turn has not come.
	 * @return whether the message was discarded
	 */
	final boolean discard(Throwable reason) {
		CompletableFuture<?> handling = this.handling;
		return handling != null && handling.completeExceptionally(reason);
	}

}
