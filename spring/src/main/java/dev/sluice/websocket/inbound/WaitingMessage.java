package dev.sluice.websocket.inbound;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** A client's message that waits to be handled, or is handled now. */
public final class WaitingMessage {

	private final int cost;

	private volatile @Nullable CompletableFuture<?> handling;

	/** The neighbours in the session's list, which has the lock. */
	@Nullable WaitingMessage previous;

	@Nullable WaitingMessage next;

	public WaitingMessage(int cost) {
		this.cost = cost;
	}

	/** What the message costs until it is handled. */
	int cost() {
		return this.cost;
	}

	/** Called with what ends when the message is handled. */
	void handledBy(CompletableFuture<?> handling) {
		this.handling = handling;
	}

	/**
	 * Lets the message go unhandled, if its turn has not come.
	 * @return whether it was let go
	 */
	boolean discard(Throwable reason) {
		CompletableFuture<?> handling = this.handling;
		return handling != null && handling.completeExceptionally(reason);
	}

}
