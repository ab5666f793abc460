package dev.sluice.cluster.internal.presence;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Nodes that are alive, and nodes that have died; locks itself. */
final class KnownNodes {

	/*
	 * A node that was alive before and has no heartbeat now has died. A node that was
	 * never alive here may have died long ago, or may be so new that this node has not
	 * received its first heartbeat; only time distinguishes the two.
	 *
	 * Attacked by KnownNodesTests.
	 */

	static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int MAX_REMEMBERED = 1000;

	private Set<String> live = Set.of();

	private final Set<String> seen = new LinkedHashSet<>();

	private final Map<String, Long> strangers = new LinkedHashMap<>();

	/** Sets the nodes that are alive; returns whether one has died. */
	synchronized boolean observe(Set<String> nodes) {
		boolean died = !nodes.containsAll(this.live);
		this.live = Set.copyOf(nodes);
		this.seen.removeAll(nodes);
		this.seen.addAll(nodes);
		trim(this.seen);
		this.strangers.keySet().removeAll(nodes);
		return died;
	}

	/** Returns the state of a node. */
	synchronized State stateOf(String node, long now) {
		if (this.live.contains(node)) {
			return State.LIVE;
		}
		if (this.seen.contains(node)) {
			return State.DEAD;
		}
		long since = this.strangers.computeIfAbsent(node, (stranger) -> now);
		trim(this.strangers.keySet());
		return (now - since >= PATIENCE.toNanos()) ? State.DEAD : State.UNKNOWN;
	}

	private static void trim(Set<String> names) {
		Iterator<String> oldest = names.iterator();
		while (names.size() > MAX_REMEMBERED) {
			oldest.next();
			oldest.remove();
		}
	}

	/** State of a node. */
	enum State {

		LIVE, DEAD, UNKNOWN

	}

}
