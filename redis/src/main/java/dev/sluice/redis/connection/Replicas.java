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

/** Confirmation of writes by replicas. */
public final class Replicas implements Confirmation {

	/*
	 * Replicas apply writes in order, so a replica that confirms a later write has all
	 * earlier grants, on any connection. The command for that blocks its connection, so
	 * it has a connection of its own. One command is in flight at a time, and later
	 * grants share the next one.
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
	 * Creates a confirmation of grants.
	 * @param commands the sender of commands
	 * @param registry the registry, whose write precedes the wait for replicas
	 * @param count the number of replicas that must confirm
	 */
	public Replicas(CommandSender commands, NodeRegistry registry, ReplicaCount count) {
		this(commands, registry::unlessLeft, (redis) -> redis.eval(Script.NODES.text(), ScriptOutputType.INTEGER,
				registry.keys(), registry.arguments()), count);
	}

	/**
	 * Creates a confirmation of writes.
	 * @param commands the sender of commands
	 * @param key the key that is written, for a millisecond, before the wait for replicas
	 * @param count the number of replicas that must confirm
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

	/** Returns whether confirmation is required. */
	public boolean areAsked() {
		return !this.count.isNone();
	}

	/**
	 * Confirms all earlier grants.
	 * @return a result that fails by {@link StoreUnavailableException} if too few
	 * replicas confirm; without a timeout
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
	 * Reply of the server.
	 *
	 * @param confirmed the number of replicas that have confirmed
	 * @param least the number that is required
	 */
	private record Answer(long confirmed, int least) {
	}

}
