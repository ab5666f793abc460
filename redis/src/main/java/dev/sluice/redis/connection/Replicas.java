package dev.sluice.redis.connection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

/** Confirmation of grants by replicas. */
public final class Replicas {

	/*
	 * Replicas take what is written in the order in which it was: one that confirms a
	 * later write has all grants before it, whatever connection they were made on. So
	 * there is a connection for this alone, as the server holds one up while it waits;
	 * one question is under way at a time, and what is granted meanwhile shares the next.
	 *
	 * Attacked by RedisReplicaTests.
	 */

	private final CommandSender commands;

	private final NodeRegistry registry;

	private final int least;

	private @Nullable CompletableFuture<Void> next;

	private boolean asking;

	/**
	 * Prepares to ask.
	 * @param commands sends to Redis
	 * @param registry writes, before replicas are waited for
	 * @param least how many must confirm; 0 if nothing is to be asked
	 */
	public Replicas(CommandSender commands, NodeRegistry registry, int least) {
		this.commands = commands;
		this.registry = registry;
		this.least = least;
	}

	/** Returns whether anything must be confirmed at all. */
	public boolean areAsked() {
		return this.least > 0;
	}

	/**
	 * Has all confirmed that was granted before.
	 * @return fails by {@link StoreUnavailableException} if too few replicas confirm;
	 * without a limit of time
	 */
	public synchronized CompletableFuture<Void> confirm() {
		if (this.next == null) {
			this.next = new CompletableFuture<>();
		}
		CompletableFuture<Void> confirmed = this.next;
		if (!this.asking) {
			ask();
		}
		return confirmed;
	}

	/** Has a grant confirmed within the time of an answer, without blocking. */
	public CompletableFuture<Void> confirmInTime() {
		return areAsked() ? this.commands.inTime(confirm()) : CompletableFuture.completedFuture(null);
	}

	/**
	 * Waits until a grant is confirmed that was asked for at a time.
	 * @throws StoreUnavailableException if too few replicas confirm in time
	 */
	public void awaitConfirmed(long since) {
		if (areAsked()) {
			this.commands.await(confirm(), since);
		}
	}

	private synchronized void ask() {
		CompletableFuture<Void> asked = this.next;
		this.asking = asked != null;
		this.next = null;
		if (asked == null) {
			return;
		}
		this.commands.sendBlocking((commands) -> {
			CompletionStage<Long> written = commands.eval(Script.NODES.text(), ScriptOutputType.INTEGER,
					this.registry.keys(), this.registry.arguments());
			return commands.waitForReplication(this.least, this.commands.timeout().toMillis())
				.thenCombine(written, (confirmed, nodes) -> confirmed);
		}).whenComplete((confirmed, failure) -> {
			if (failure != null) {
				asked.completeExceptionally(failure);
			}
			else if (confirmed < this.least) {
				asked.completeExceptionally(new StoreUnavailableException(
						confirmed + " replicas have confirmed in time, not " + this.least, new TimeoutException()));
			}
			else {
				asked.complete(null);
			}
			ask();
		});
	}

}
