package dev.sluice.redis.rate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisErrors;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.Limit;

/** Requests of one rate limit to Redis; a grant whose reply is lost is undone. */
final class RateRequests {

	/*
	 * "compiled" is replaced as a whole when the definition has another limit; a race
	 * costs a compilation. A call that grants is named from before it is sent until it is
	 * answered or undone (see UnansweredCalls). Attacked by RedisLostAnswerTests.
	 */

	private final RedisNode node;

	private final String resource;

	private final Supplier<Definition> definition;

	private final UnansweredCalls calls = new UnansweredCalls();

	private volatile CompiledRate compiled;

	/**
	 * Creates requests; none is sent yet.
	 * @param node this node
	 * @param resource the name of the limit
	 * @param definition the supplier of the present definition
	 */
	RateRequests(RedisNode node, String resource, Supplier<Definition> definition) {
		this.node = node;
		this.resource = resource;
		this.definition = definition;
		this.compiled = CompiledRate.of(limit());
	}

	RedisNode node() {
		return this.node;
	}

	String resource() {
		return this.resource;
	}

	Limit limit() {
		return this.definition.get().limit();
	}

	/** Returns the maximum number of permits to take at once. */
	int batch() {
		Integer batch = this.definition.get().options().batch();
		return (batch != null) ? batch : this.node.batch();
	}

	private CompiledRate compiled() {
		CompiledRate compiled = this.compiled;
		Limit limit = limit();
		if (compiled.limit() != limit) {
			compiled = CompiledRate.of(limit);
			this.compiled = compiled;
		}
		return compiled;
	}

	/** Runs an operation on a key. */
	CompletableFuture<List<Object>> ask(String operation, String key, String... arguments) {
		CompiledRate rate = compiled();
		KeyNames names = this.node.names();
		List<String> all = new ArrayList<>(10 + arguments.length);
		all.add(operation);
		all.add(names.nodeChannel(""));
		all.add(this.node.name());
		Collections.addAll(all, rate.numbers());
		if (rate.isShared()) {
			all.add(key);
		}
		Collections.addAll(all, arguments);
		return this.node.commands()
			.ask(rate.script(), rate.keys(names, this.resource, key), all.toArray(new String[0]));
	}

	/**
	 * Runs an operation that grants permits, and undoes it if its reply is lost.
	 * @param requested the requested number of permits, 0 if unspecified
	 */
	CompletableFuture<List<Object>> call(String operation, String key, int requested, String... arguments) {
		return call(operation, key, requested, List::of, arguments);
	}

	/**
	 * Runs an operation as above.
	 * @param undone returns what the undo also does: the member to remove from the line,
	 * or an empty text, and then, if it adds members, the lease of the node and the
	 * members, each before its place
	 */
	CompletableFuture<List<Object>> call(String operation, String key, int requested, Supplier<List<String>> undone,
			String... arguments) {
		String call = this.calls.next();
		String[] all = Arrays.copyOf(arguments, arguments.length + 2);
		all[arguments.length] = call;
		all[arguments.length + 1] = this.calls.begin(key, call);
		return ask(operation, key, all).whenComplete((reply, failure) -> {
			if (failure != null && RedisErrors.mayBeRun(failure)) {
				undo(key, call, requested, undone).thenRun(() -> this.calls.end(key, call));
			}
			else {
				this.calls.end(key, call);
			}
		});
	}

	/**
	 * Runs an operation that returns permits, and notifies the nodes that it could not
	 * notify.
	 */
	CompletableFuture<List<Object>> giveBack(String operation, String key, String... arguments) {
		return ask(operation, key, arguments).thenApply((reply) -> {
			if (reply.size() > 1) {
				notifyFirst(key);
			}
			return reply;
		});
	}

	private CompletableFuture<Void> undo(String key, String call, int requested, Supplier<List<String>> undone) {
		return this.node.releases().add(() -> {
			List<String> arguments = new ArrayList<>(List.of(call, Integer.toString(requested)));
			arguments.addAll(undone.get());
			return giveBack("undo", key, arguments.toArray(new String[0]))
				.thenApply((reply) -> RedisThrottle.code(reply) == 1);
		}, this.node.lease());
	}

	/** Returns permits, with retries but never twice. */
	void returnPermits(String key, int permits, long takenAt) {
		this.node.releases()
			.add(() -> giveBack("refund", key, Integer.toString(permits), Long.toString(takenAt))
				.handle((reply, failure) -> failure == null || RedisErrors.mayBeRun(failure)), this.node.lease());
	}

	/** Notifies the nodes whose waiters may be served, with retries. */
	void notifyFirst(String key) {
		this.node.releases().add(() -> ask("call", key).thenApply((reply) -> true), this.node.lease());
	}

	/** Removes a member from the line, with retries. */
	void leave(String key, String member) {
		this.node.releases().add(() -> ask("leave", key, member).thenApply((reply) -> true), this.node.lease());
	}

}
