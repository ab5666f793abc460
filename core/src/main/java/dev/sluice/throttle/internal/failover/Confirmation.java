package dev.sluice.throttle.internal.failover;

import java.util.concurrent.CompletableFuture;

/** Confirmation of grants, without which they do not count. */
public interface Confirmation {

	/** Every grant counts by itself. */
	Confirmation NONE = new Confirmation() {

		@Override
		public void awaitConfirmed(long since) {
			// nobody is asked
		}

		@Override
		public CompletableFuture<Void> confirmInTime() {
			return CompletableFuture.completedFuture(null);
		}

	};

	/**
	 * Waits until a grant is confirmed that was asked for at a time.
	 * @param since the time, of {@link System#nanoTime}
	 * @throws StoreUnavailableException if it is not confirmed in time
	 */
	void awaitConfirmed(long since);

	/**
	 * Has a grant confirmed within the time of an answer, without blocking.
	 * @return fails by {@link StoreUnavailableException} if it is not confirmed in time
	 */
	CompletableFuture<Void> confirmInTime();

}
