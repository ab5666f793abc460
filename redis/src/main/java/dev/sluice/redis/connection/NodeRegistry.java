package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.ScriptOutputType;

/** Tells Redis that this node lives, and knows how many do. */
public final class NodeRegistry {

	/** How long a node counts that is not heard of, three beats. */
	private static final Duration EXPIRY = Duration.ofSeconds(30);

	private final RedisNode node;

	private volatile int nodes = 1;

	public NodeRegistry(RedisNode node) {
		this.node = node;
	}

	/** Returns how many nodes there were, this one included, when last it was heard. */
	public int nodes() {
		return this.nodes;
	}

	/**
	 * Is heard of, and counts the nodes. As it writes, an answer proves that Redis can be
	 * used.
	 */
	public CompletableFuture<Long> beat() {
		CompletableFuture<Long> beaten = tell(EXPIRY);
		return beaten.thenApply((nodes) -> {
			this.nodes = nodes.intValue();
			return nodes;
		});
	}

	/** Counts no longer. */
	public void leave() {
		tell(Duration.ZERO);
	}

	private CompletableFuture<Long> tell(Duration expiry) {
		return this.node.link().run(Script.NODES, ScriptOutputType.INTEGER, keys(), arguments(expiry));
	}

	String[] keys() {
		return new String[] { this.node.names().nodes() };
	}

	/** Returns what the script is told for the node to be heard of. */
	String[] arguments() {
		return arguments(EXPIRY);
	}

	private String[] arguments(Duration expiry) {
		return new String[] { this.node.name(), Long.toString(expiry.toMillis()) };
	}

}
