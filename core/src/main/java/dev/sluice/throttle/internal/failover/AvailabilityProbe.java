package dev.sluice.throttle.internal.failover;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Probe that finds out when a server is unavailable, and when it is available again. */
public final class AvailabilityProbe {

	/*
	 * Called by the timer, again and again. While the server is unavailable, one probe is
	 * under way at a time, and what one learns the next call acts upon. Those who wait in
	 * line there are told each time, not once, as one may have come to its line just
	 * before it was known.
	 *
	 * Attacked by RedisOutageTests and JdbcFailoverTests.
	 */

	private final BooleanSupplier unavailable;

	private final Supplier<? extends CompletableFuture<?>> probe;

	private final Runnable whileUnavailable;

	private final Runnable whenBack;

	/** Only the timer's. */
	private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

	/** Only the timer's. */
	private boolean wasUnavailable;

	/**
	 * Prepares a probe, and sends nothing.
	 * @param unavailable whether the server counts as unavailable
	 * @param probe asks it something that it can answer only if it can be used; an answer
	 * has it count as available
	 * @param whileUnavailable called at each check while the server is unavailable
	 * @param whenBack called once when it is back
	 */
	public AvailabilityProbe(BooleanSupplier unavailable, Supplier<? extends CompletableFuture<?>> probe,
			Runnable whileUnavailable, Runnable whenBack) {
		this.unavailable = unavailable;
		this.probe = probe;
		this.whileUnavailable = whileUnavailable;
		this.whenBack = whenBack;
	}

	/** Probes while the server is unavailable. */
	public void check() {
		boolean now = this.unavailable.getAsBoolean();
		if (now) {
			this.whileUnavailable.run();
			if (this.last.isDone()) {
				this.last = this.probe.get();
			}
		}
		else if (this.wasUnavailable) {
			this.whenBack.run();
		}
		this.wasUnavailable = now;
	}

}
