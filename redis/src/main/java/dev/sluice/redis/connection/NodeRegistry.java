package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.ScriptOutputType;

/** Registration of this node in Redis, and the number of nodes that are alive. */
public final class NodeRegistry {

	/*
	 * "left" is guarded by "this", which is held while a registration is sent. leave()
	 * sets it, waits for the replies to earlier registrations, and then removes the node,
	 * so no registration follows the removal. Attacked by RedisCloseTests.
	 */

	/** Lease of a node, three intervals of its heartbeat. */
	private static final Duration EXPIRY = Duration.ofSeconds(30);

	private final RedisNode node;

	private volatile int nodes = 1;

	private boolean left;

	public NodeRegistry(RedisNode node) {
		this.node = node;
	}

	/** Returns the last known number of nodes, including this one. */
	public int nodes() {
		return this.nodes;
	}

	/**
	 * Registers this node again, and counts the nodes. The command writes, so a reply
	 * proves that Redis can be used.
	 * @return the number of nodes, or a failure by {@link StoreUnavailableException} if
	 * Redis is unavailable or this node has left
	 */
	public CompletableFuture<Long> beat() {
		return unlessLeft(() -> register(EXPIRY)).thenApply((nodes) -> {
			this.nodes = nodes.intValue();
			return nodes;
		});
	}

	/**
	 * Sends a command that registers this node, unless it has left. A command that is
	 * sent during the removal would register it again.
	 * @param registration the command
	 * @return the reply, or a failure by {@link StoreUnavailableException} if this node
	 * has left
	 */
	synchronized <T> CompletableFuture<T> unlessLeft(Supplier<CompletableFuture<T>> registration) {
		return this.left ? CompletableFuture.failedFuture(new StoreUnavailableException("The store is closed"))
				: registration.get();
	}

	/**
	 * Removes this node for good, after all commands on all connections are answered;
	 * blocks at most for the timeout of a command.
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

	/** Returns the arguments of the script that registers the node. */
	String[] arguments() {
		return arguments(EXPIRY);
	}

	private String[] arguments(Duration expiry) {
		return new String[] { this.node.name(), Long.toString(expiry.toMillis()) };
	}

}
