package dev.sluice.bus;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.sluice.time.NanoClock;

/**
 * Bus of nodes that share one virtual machine: a single node, or several application
 * contexts of a test.
 *
 * @since 0.1.0
 */
public final class MemoryBus {

	private final MemoryHub hub;

	/** Creates a bus whose messages are delivered on the common pool. */
	public MemoryBus() {
		this(ForkJoinPool.commonPool(), NanoClock.system());
	}

	/**
	 * Creates a bus.
	 * @param executor delivers messages
	 * @param clock the clock by which histories expire
	 */
	public MemoryBus(Executor executor, NanoClock clock) {
		this.hub = new MemoryHub(executor, clock);
	}

	/**
	 * Adds a node.
	 * @return the node's connection, not started yet
	 */
	public ClusterBus connect() {
		return new MemoryNode(this.hub);
	}

}
