package dev.sluice.redis.connection;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Probe of Redis, sent on the connections that limits use. */
public final class RedisProbe {

	/*
	 * A connection that answers no probe for long is given up: nothing may come back on
	 * it, though it looks open. One probe is under way at a time.
	 *
	 * Attacked by RedisOutageTests.
	 */

	private static final int SILENT_PROBES = 10;

	private final RedisConnections connections;

	private final CommandSender commands;

	private final Supplier<CompletableFuture<?>> question;

	private volatile int silent;

	/**
	 * Prepares a probe, and sends nothing.
	 * @param connections dropped when nothing comes back on them
	 * @param commands whose breaker closes when the probe is answered
	 * @param question asks what Redis can answer only if it can be used
	 */
	public RedisProbe(RedisConnections connections, CommandSender commands, Supplier<CompletableFuture<?>> question) {
		this.connections = connections;
		this.commands = commands;
		this.question = question;
	}

	/**
	 * Sends the probe if there is a connection.
	 * @return what ends when it was answered, or was not in time
	 */
	public CompletableFuture<?> send() {
		if (!this.connections.isConnected()) {
			return CompletableFuture.completedFuture(null);
		}
		return this.commands.inTime(this.question.get()).whenComplete((answer, failure) -> {
			this.silent = (failure != null) ? this.silent + 1 : 0;
			if (this.silent >= SILENT_PROBES) {
				this.silent = 0;
				this.connections.drop();
			}
		});
	}

}
