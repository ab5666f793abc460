package dev.sluice.redis.rate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.Script;

/**
 * Move of the keys of a rate limit that is changed to or from a dynamic window.
 */
final class Relocation {

	/*
	 * All keys of a dynamic window are in the slot of their shared entries; the keys of
	 * other rates are in slots of their own. In a cluster no script reaches both places,
	 * so the node that changes the limit moves used permits and waiters key by key. It
	 * marks the new place before the change is published, and the old place when it
	 * leaves it. A marked place grants no permits. A mark is removed on arrival, or
	 * expires after ten seconds in case the node dies.
	 *
	 * Attacked by RedisDynamicWindowTests.
	 */

	private final RateRequests requests;

	private final boolean wasShared;

	private final KeyNames names;

	/**
	 * Creates a move.
	 * @param requests the requests of the rate limit
	 * @param wasShared whether it is a dynamic window before the change
	 */
	Relocation(RateRequests requests, boolean wasShared) {
		this.requests = requests;
		this.wasShared = wasShared;
		this.names = requests.node().names();
	}

	/** Marks the new place, before the rate is changed; blocks. */
	void prepare() {
		if (this.wasShared) {
			forEachKey((key) -> ask("expect", this.names.keysOf(this.requests.resource(), key)));
		}
		else {
			this.requests.node().commands().await(ask("expect-all", this.names.waiting(this.requests.resource())));
		}
	}

	/** Moves all keys, after the rate was changed; blocks. */
	void run() {
		forEachKey(this::move);
		if (this.wasShared) {
			this.requests.node().commands().unlink(this.names.sharedKeys(this.requests.resource()));
		}
		else {
			this.requests.node().commands().await(this.requests.giveBack("arrived", ""));
		}
	}

	private void forEachKey(Function<String, CompletableFuture<?>> action) {
		String resource = this.requests.resource();
		this.requests.node()
			.commands()
			.scan(this.wasShared ? this.names.allSharing(resource) : this.names.all(resource),
					(found) -> this.requests.node()
						.commands()
						.await(CompletableFuture.allOf(found.stream()
							.map((name) -> this.names.keyOf(resource, name))
							.distinct()
							.map(action)
							.toArray(CompletableFuture<?>[]::new))));
	}

	private CompletableFuture<?> move(String key) {
		String resource = this.requests.resource();
		String[] from = this.wasShared ? this.names.sharingKeysOf(resource, key) : this.names.keysOf(resource, key);
		return ask("depart", from).thenCompose((reply) -> {
			List<String> arguments = new ArrayList<>(reply.size() + 1);
			arguments.add(reply.get(0).toString());
			arguments.add(this.requests.node().leaseMicros());
			reply.subList(1, reply.size()).forEach((part) -> arguments.add((String) part));
			return this.requests.giveBack("arrive", key, arguments.toArray(new String[0]));
		});
	}

	private CompletableFuture<List<Object>> ask(String operation, String... keys) {
		return this.requests.node().commands().ask(Script.MOVE, keys, operation);
	}

}
