package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.Script;
import dev.sluice.throttle.internal.failover.NodeCounts;

/** Counts of a limit in Redis, to which those of each node are added now and then. */
final class SharedCounts {

	private final RedisNode node;

	private final String name;

	private final Duration expiry;

	private final NodeCounts counts;

	SharedCounts(RedisNode node, String resource, Duration expiry, NodeCounts counts) {
		this.node = node;
		this.expiry = expiry;
		this.name = node.names().counts(resource);
		this.counts = counts;
	}

	/** Adds what has happened here since the last time. */
	void flush() {
		if (!this.counts.isEmpty()) {
			total();
		}
	}

	/**
	 * Adds what has happened here as well.
	 * @return what all nodes have admitted and rejected, as far as they have told
	 */
	CompletableFuture<NodeCounts.Sums> total() {
		NodeCounts.Sums here = this.counts.take();
		CompletableFuture<List<Object>> added = this.node.commands()
			.ask(Script.COUNTS, new String[] { this.name }, Long.toString(here.admitted()),
					Long.toString(here.rejected()), Long.toString(this.expiry.toMillis()));
		added.exceptionally((failure) -> {
			this.counts.putBack(here);
			return List.of();
		});
		return added.thenApply((counts) -> new NodeCounts.Sums((long) counts.get(0), (long) counts.get(1)));
	}

	/** Keeps the counts in Redis, of which nothing is left if nobody does in time. */
	void renew() {
		this.node.commands().send((commands) -> commands.pexpire(this.name, this.expiry));
	}

}
