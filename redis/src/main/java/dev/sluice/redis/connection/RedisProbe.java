package dev.sluice.redis.connection;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Probe of Redis, sent on the connections that limits use. */
public final class RedisProbe {

	/*
	 * A connection without a reply to a probe for long is closed, as it may be dead
	 * though it appears open. A probe that is answered by an error shows that the
	 * connection works. One probe is in flight at a time.
	 *
	 * Attacked by RedisOutageTests and RedisFaultSuiteTests.
	 */

	private static final int SILENT_PROBES = 10;

	private final RedisConnections connections;

	private final CommandSender commands;

	private final Supplier<CompletableFuture<?>> question;

	private volatile int silent;

	/**
	 * Creates a probe.
	 * @param connections the connections, which are dropped if there are no replies
	 * @param commands the sender, whose breaker closes when the probe is answered
	 * @param question the command, which succeeds only if Redis can be used
	 */
	public RedisProbe(RedisConnections connections, CommandSender commands, Supplier<CompletableFuture<?>> question) {
		this.connections = connections;
		this.commands = commands;
		this.question = question;
	}

	/**
	 * Sends the probe if there is a connection.
	 * @return completed when the probe is answered or has timed out
	 */
	public CompletableFuture<?> send() {
		if (!this.connections.isConnected()) {
			return CompletableFuture.completedFuture(null);
		}
		return this.commands.inTime(this.question.get()).whenComplete((answer, failure) -> {
			this.silent = (failure != null && !RedisErrors.isAnswered(failure)) ? this.silent + 1 : 0;
			if (this.silent >= SILENT_PROBES) {
				this.silent = 0;
				this.connections.drop();
			}
		});
	}

}
