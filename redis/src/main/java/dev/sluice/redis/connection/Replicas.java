package dev.sluice.redis.connection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.throttle.internal.failover.Confirmation;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/** Confirmation by replicas of what was written. */
public final class Replicas implements Confirmation {

	/*
	 * Replicas take what is written in the order in which it was: one that confirms a
	 * later write has all grants before it, whatever connection they were made on. So
	 * there is a connection for this alone, as the server holds one up while it waits;
	 * one question is under way at a time, and what is granted meanwhile shares the next.
	 *
	 * Attacked by RedisReplicaTests.
	 */

	private final CommandSender commands;

	private final Function<Supplier<CompletableFuture<Answer>>, CompletableFuture<Answer>> unlessLeft;

	private final Function<RedisClusterAsyncCommands<String, String>, CompletionStage<?>> write;

	private final ReplicaCount count;

	private @Nullable CompletableFuture<Void> next;

	private boolean asking;

	/**
	 * Prepares to ask.
	 * @param commands sends to Redis
	 * @param registry writes, before replicas are waited for
	 * @param count how many must confirm
	 */
	public Replicas(CommandSender commands, NodeRegistry registry, ReplicaCount count) {
		this(commands, registry::unlessLeft, (redis) -> redis.eval(Script.NODES.text(), ScriptOutputType.INTEGER,
				registry.keys(), registry.arguments()), count);
	}

	/**
	 * Prepares to ask.
	 * @param commands sends to Redis
	 * @param key written, for a millisecond, before replicas are waited for
	 * @param count how many must confirm
	 */
	public Replicas(CommandSender commands, String key, ReplicaCount count) {
		this(commands, Supplier::get, (redis) -> redis.psetex(key, 1, ""), count);
	}

	private Replicas(CommandSender commands,
			Function<Supplier<CompletableFuture<Answer>>, CompletableFuture<Answer>> unlessLeft,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<?>> write, ReplicaCount count) {
		this.commands = commands;
		this.unlessLeft = unlessLeft;
		this.write = write;
		this.count = count;
	}

	/** Returns whether anything must be confirmed at all. */
	public boolean areAsked() {
		return !this.count.isNone();
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

	@Override
	public CompletableFuture<Void> confirmInTime() {
		return areAsked() ? this.commands.inTime(confirm()) : CompletableFuture.completedFuture(null);
	}

	@Override
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
		this.unlessLeft.apply(() -> this.commands.sendBlocking((redis) -> {
			CompletionStage<Integer> needed = this.count.needed(redis);
			CompletionStage<?> written = this.write.apply(redis);
			return needed.thenCompose((least) -> redis.waitForReplication(least, this.commands.timeout().toMillis())
				.thenCombine(written, (confirmed, answer) -> new Answer(confirmed, least)));
		})).whenComplete((answer, failure) -> {
			if (failure != null) {
				asked.completeExceptionally(failure);
			}
			else if (answer.confirmed() < answer.least()) {
				asked.completeExceptionally(new StoreUnavailableException("Too few replicas have confirmed in time ("
						+ answer.confirmed() + " of " + answer.least() + ")", new TimeoutException()));
			}
			else {
				asked.complete(null);
			}
			ask();
		});
	}

	/**
	 * Answer of the server.
	 *
	 * @param confirmed how many replicas have confirmed
	 * @param least how many had to
	 */
	private record Answer(long confirmed, int least) {
	}

}
