package dev.sluice.throttle.internal.failover;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Probe that detects when a server is available again. */
public final class AvailabilityProbe {

	/*
	 * Called periodically by the timer. While the server is unavailable, one probe is
	 * pending at a time, and the next call acts on its result. "whileUnavailable" runs at
	 * each check, not once, as a call may have joined the server's line just before the
	 * outage was detected.
	 *
	 * Attacked by RedisOutageTests and JdbcFailoverTests.
	 */

	private final BooleanSupplier unavailable;

	private final Supplier<? extends CompletableFuture<?>> probe;

	private final Runnable whileUnavailable;

	private final Runnable whenBack;

	/** Used by the timer thread only. */
	private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

	/** Used by the timer thread only. */
	private boolean wasUnavailable;

	/**
	 * Creates a probe without sending a command.
	 * @param unavailable the supplier of whether the server counts as unavailable
	 * @param probe the command that succeeds only if the server is usable; its success
	 * makes the server count as available
	 * @param whileUnavailable the callback for each check while the server is unavailable
	 * @param whenBack the callback that runs once when the server is available again
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
