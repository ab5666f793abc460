package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.ScriptOutputType;

/** Registration of this node in Redis, and the number of nodes that are alive. */
public final class NodeRegistry {

	/** How long a node counts that is not heard of, three beats. */
	private static final Duration EXPIRY = Duration.ofSeconds(30);

	private final RedisNode node;

	private volatile int nodes = 1;

	private boolean left;

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
	 * @return how many nodes there are, or a failure by {@link StoreUnavailableException}
	 * if Redis does not say, or this node has left
	 */
	public CompletableFuture<Long> beat() {
		return unlessLeft(() -> register(EXPIRY)).thenApply((nodes) -> {
			this.nodes = nodes.intValue();
			return nodes;
		});
	}

	/**
	 * Sends what registers this node, unless it has left: whoever did so while it leaves
	 * would bring it back.
	 * @param registration what to send
	 * @return what is answered, or a failure by {@link StoreUnavailableException} if this
	 * node has left
	 */
	synchronized <T> CompletableFuture<T> unlessLeft(Supplier<CompletableFuture<T>> registration) {
		return this.left ? CompletableFuture.failedFuture(new StoreUnavailableException("The store is closed"))
				: registration.get();
	}

	/**
	 * Removes this node for good, once all is answered that was sent on any connection;
	 * blocks for no longer than an answer may take.
	 */
	public void leave() {
		synchronized (this) {
			this.left = true;
		}
		this.node.commands().awaitAnswers();
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
