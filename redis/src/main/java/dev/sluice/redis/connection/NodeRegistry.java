package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.ScriptOutputType;

/** Registration of this node in Redis, and the number of nodes that are alive. */
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
	 * Registers this node again, and counts the nodes. As it writes, an answer proves
	 * that Redis can be used.
	 */
	public CompletableFuture<Long> beat() {
		CompletableFuture<Long> beaten = register(EXPIRY);
		return beaten.thenApply((nodes) -> {
			this.nodes = nodes.intValue();
			return nodes;
		});
	}

	/** Removes this node. */
	public void leave() {
		register(Duration.ZERO);
	}

	private CompletableFuture<Long> register(Duration expiry) {
		return this.node.commands().run(Script.NODES, ScriptOutputType.INTEGER, keys(), arguments(expiry));
	}

	String[] keys() {
		return new String[] { this.node.names().nodes() };
	}

	/** Returns what the script is told to register the node. */
	String[] arguments() {
		return arguments(EXPIRY);
	}

	private String[] arguments(Duration expiry) {
		return new String[] { this.node.name(), Long.toString(expiry.toMillis()) };
	}

}
