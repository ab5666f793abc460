package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.Script;
import dev.sluice.throttle.internal.failover.NodeCounts;

/** Counts of a limit in Redis, to which each node periodically adds its own. */
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

	/** Adds the counts of this node since the last call. */
	void flush() {
		if (!this.counts.isEmpty()) {
			total();
		}
	}

	/**
	 * Adds the counts of this node since the last call, and reads the sums.
	 * @return the numbers of calls that all nodes have admitted and rejected, without
	 * counts that other nodes have not added yet
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

	/** Renews the expiry of the counts in Redis. */
	void renew() {
		this.node.commands().send((commands) -> commands.pexpire(this.name, this.expiry));
	}

}
