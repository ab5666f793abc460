package dev.sluice.throttle.internal.failover;

import java.util.concurrent.CompletableFuture;

/** Confirmation of grants. A grant without it does not count. */
public interface Confirmation {

	/** Confirms each grant without a check. */
	Confirmation NONE = new Confirmation() {

		@Override
		public void awaitConfirmed(long since) {
			// no check
		}

		@Override
		public CompletableFuture<Void> confirmInTime() {
			return CompletableFuture.completedFuture(null);
		}

	};

	/**
	 * Waits until a grant is confirmed.
	 * @param since the time of the request, from {@link System#nanoTime}
	 * @throws StoreUnavailableException if the grant is not confirmed in time
	 */
	void awaitConfirmed(long since);

	/**
	 * Confirms a grant within the command time-out, without blocking.
	 * @return a future that fails with {@link StoreUnavailableException} if the grant is
	 * not confirmed in time
	 */
	CompletableFuture<Void> confirmInTime();

}
