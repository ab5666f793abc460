package dev.sluice.websocket.session;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Place of a session; locks itself. Its holding is exchanged when the session changes,
 * and released once.
 */
public final class SessionPlace {

	/*
	 * "holding" is guarded by "this". Once it is null it stays so, and each holding is
	 * returned to one caller, which releases it. Attacked by SessionQuotaTests and
	 * ResumePlacesTests.
	 */

	private final boolean exchanged;

	private @Nullable Holding holding;

	/**
	 * Creates a place.
	 * @param exchanged whether its holding will be exchanged
	 */
	SessionPlace(Holding holding, boolean exchanged) {
		this.holding = holding;
		this.exchanged = exchanged;
	}

	boolean isExchanged() {
		return this.exchanged;
	}

	synchronized @Nullable Holding holding() {
		return this.holding;
	}

	/**
	 * Exchanges the holding, unless it was released.
	 * @param next the new holding, or {@code null} to release the place
	 * @return the former holding, or {@code null} if it had been released, in which case
	 * the place stays released
	 */
	synchronized @Nullable Holding exchange(@Nullable Holding next) {
		Holding former = this.holding;
		if (former != null) {
			this.holding = next;
		}
		return former;
	}

	/**
	 * Resources that a place holds.
	 *
	 * @param keys the counts of this node that include the session
	 * @param shared the place among the sessions of all nodes
	 */
	record Holding(List<SessionQuota.Key> keys, Shared shared) {
	}

	/** Part of a place that all nodes share. */
	@FunctionalInterface
	public interface Shared {

		/**
		 * Gives it back.
		 * @return ends when the other nodes have been notified, and may fail
		 */
		CompletableFuture<?> giveBack();

	}

}
