package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.Script;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Requests of one semaphore or mutex to Redis; releases are retried until they are
 * confirmed.
 *
 * @param node this node
 * @param resource the name of the limit
 * @param definition the supplier of the present definition
 */
record ConcurrencyRequests(RedisNode node, String resource, Supplier<Definition> definition) {

	/** Returns the lease of holdings of this node. */
	Duration lease() {
		Duration lease = this.definition.get().options().lease();
		return (lease != null) ? lease : this.node.lease();
	}

	/** Runs an operation on a key. */
	CompletableFuture<List<Object>> ask(String operation, String key, String... arguments) {
		Definition definition = this.definition.get();
		KeyNames names = this.node.names();
		Stream<String> common = Stream.of(operation, names.nodeChannel(""), this.node.name(),
				Integer.toString(definition.limit().limit()), RedisNode.micros(lease()),
				Integer.toString(definition.options().maxWaiting()), names.grantsChannel(""));
		return this.node.commands()
			.ask(Script.CONCURRENCY, names.holdingKeysOf(this.resource, key),
					Stream.concat(common, Stream.of(arguments)).toArray(String[]::new))
			.thenApply(this::withoutUnsent);
	}

	/**
	 * Publishes the messages of grants that the script could not publish, with retries.
	 */
	private List<Object> withoutUnsent(List<Object> reply) {
		int last = reply.size() - 1;
		if (last < 0 || !(reply.get(last) instanceof List<?> unsent)) {
			return reply;
		}
		for (int i = 0; i < unsent.size(); i += 2) {
			String channel = (String) unsent.get(i);
			String message = (String) unsent.get(i + 1);
			this.node.releases()
				.add(() -> this.node.commands()
					.send((commands) -> commands.publish(channel, message))
					.thenApply((receivers) -> true), lease());
		}
		return reply.subList(0, last);
	}

	/** Releases an entry of an owner. */
	void exit(String key, String owner, String entry) {
		release("exit", key, owner, entry);
	}

	/** Removes a member from the line, or releases its grant. */
	void leave(String key, String member) {
		release("leave", key, member);
	}

	/** Releases the permits that an owner has acquired before now. */
	CompletableFuture<Boolean> free(String key, String owner) {
		CompletableFuture<Boolean> freed = new CompletableFuture<>();
		long since = System.nanoTime();
		this.node.releases().add(() -> {
			long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - since);
			return ask("free", key, owner, Long.toString(micros)).thenApply((reply) -> {
				freed.complete(RedisThrottle.code(reply) == 1);
				return true;
			});
		}, lease())
			.thenRun(() -> freed.completeExceptionally(
					new StoreUnavailableException("Redis has not answered a release within its lease")));
		return freed;
	}

	private void release(String operation, String key, String... arguments) {
		this.node.releases().add(() -> ask(operation, key, arguments).thenApply((reply) -> true), lease());
	}

	/** Undoes a call whose reply is lost, once Redis has run it. */
	void undoIfRun(Throwable failure, String operation, String key, String... arguments) {
		if (RedisErrors.mayBeRun(failure)) {
			this.node.releases()
				.add(() -> ask(operation, key, arguments).thenApply((reply) -> RedisThrottle.code(reply) == 1),
						lease());
		}
	}

}
