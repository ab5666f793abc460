package dev.sluice.redis.availability;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.redis.connection.RedisConnections;

/** Sees whether Redis can be asked, and sees to it that it can be again. */
public final class AvailabilityProbe {

	/*
	 * Called by the timer, again and again. While Redis is away, one probe is under way
	 * at a time, and what one learns the next call acts upon. Those who wait in Redis are
	 * told each time, not once, as one may have come to its line just before it was
	 * known. A connection that answers no probe for long is given up: nothing may come
	 * back on it, though it looks open.
	 */

	private static final int SILENT_PROBES = 10;

	private final RedisConnections link;

	private final Supplier<CompletableFuture<?>> probe;

	private final Runnable whileAway;

	private final Runnable whenBack;

	private volatile boolean probing;

	private volatile int silent;

	/** Only the timer's. */
	private boolean wasAway;

	/**
	 * Prepares to look, and looks at nothing.
	 * @param link the way to Redis
	 * @param probe asks it something that it can answer only if it can be used
	 * @param whileAway called at each look while Redis is away
	 * @param whenBack called once when it is back
	 */
	public AvailabilityProbe(RedisConnections link, Supplier<CompletableFuture<?>> probe, Runnable whileAway,
			Runnable whenBack) {
		this.link = link;
		this.probe = probe;
		this.whileAway = whileAway;
		this.whenBack = whenBack;
	}

	public void look() {
		this.link.watch();
		boolean away = this.link.isAway();
		if (away) {
			this.whileAway.run();
			probe();
		}
		else if (this.wasAway) {
			this.whenBack.run();
		}
		this.wasAway = away;
	}

	private void probe() {
		if (this.probing || !this.link.isConnected()) {
			return;
		}
		this.probing = true;
		this.link.inTime(this.probe.get()).whenComplete((answer, failure) -> {
			this.silent = (failure != null) ? this.silent + 1 : 0;
			if (failure == null) {
				this.link.breaker().close();
			}
			else if (this.silent >= SILENT_PROBES) {
				this.silent = 0;
				this.link.drop();
			}
			this.probing = false;
		});
	}

}
