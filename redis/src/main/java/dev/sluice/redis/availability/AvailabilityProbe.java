package dev.sluice.redis.availability;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.RedisConnections;

/** Probe that finds out when Redis is unavailable, and when it is available again. */
public final class AvailabilityProbe {

	/*
	 * Called by the timer, again and again. While Redis is unavailable, one probe is
	 * under way at a time, and what one learns the next call acts upon. Those who wait in
	 * Redis are told each time, not once, as one may have come to its line just before it
	 * was known. A connection that answers no probe for long is given up: nothing may
	 * come back on it, though it looks open.
	 *
	 * Attacked by RedisOutageTests.
	 */

	private static final int SILENT_PROBES = 10;

	private final RedisConnections connections;

	private final CommandSender commands;

	private final Supplier<CompletableFuture<?>> probe;

	private final Runnable whileUnavailable;

	private final Runnable whenBack;

	private volatile boolean probing;

	private volatile int silent;

	/** Only the timer's. */
	private boolean wasUnavailable;

	/**
	 * Prepares a probe, and sends nothing.
	 * @param connections dropped when nothing comes back on them
	 * @param commands whose answers show whether Redis is available
	 * @param probe asks it something that it can answer only if it can be used
	 * @param whileUnavailable called at each check while Redis is unavailable
	 * @param whenBack called once when it is back
	 */
	public AvailabilityProbe(RedisConnections connections, CommandSender commands, Supplier<CompletableFuture<?>> probe,
			Runnable whileUnavailable, Runnable whenBack) {
		this.connections = connections;
		this.commands = commands;
		this.probe = probe;
		this.whileUnavailable = whileUnavailable;
		this.whenBack = whenBack;
	}

	/** Opens connections that are lost, and probes while Redis is unavailable. */
	public void check() {
		this.connections.watch();
		boolean unavailable = this.commands.isUnavailable();
		if (unavailable) {
			this.whileUnavailable.run();
			probe();
		}
		else if (this.wasUnavailable) {
			this.whenBack.run();
		}
		this.wasUnavailable = unavailable;
	}

	private void probe() {
		if (this.probing || !this.connections.isConnected()) {
			return;
		}
		this.probing = true;
		this.commands.inTime(this.probe.get()).whenComplete((answer, failure) -> {
			this.silent = (failure != null) ? this.silent + 1 : 0;
			if (failure == null) {
				this.commands.breaker().close();
			}
			else if (this.silent >= SILENT_PROBES) {
				this.silent = 0;
				this.connections.drop();
			}
			this.probing = false;
		});
	}

}
