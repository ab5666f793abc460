package dev.sluice.websocket.session;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Place of a session; locks itself. What it holds is exchanged as the session goes on,
 * and given back once.
 */
public final class SessionPlace {

	private final boolean exchanged;

	private @Nullable Holding holding;

	/**
	 * Creates a place.
	 * @param exchanged whether it will hold something else
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
	 * Holds something else, unless it was given back.
	 * @param next what it holds from now on, or {@code null} to give it back
	 * @return what it held, or {@code null} if nothing, when it holds nothing still
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
	 * @param keys what it counts in, on this node
	 * @param shared what it takes of the places of all nodes
	 */
	record Holding(List<SessionQuota.Key> keys, Shared shared) {
	}

	/** Part of a place that all nodes share. */
	@FunctionalInterface
	public interface Shared {

		/**
		 * Gives it back.
		 * @return ends when the other nodes know, and may fail
		 */
		CompletableFuture<?> giveBack();

	}

}
