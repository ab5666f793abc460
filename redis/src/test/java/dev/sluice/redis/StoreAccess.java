package dev.sluice.redis;

/** Operations on a store that only tests in other packages need. */
public final class StoreAccess {

	private StoreAccess() {
	}

	/** Ends a store as a node that dies. */
	public static void abandon(RedisThrottleStore store) {
		store.abandon();
	}

	/** Registers the node of a store, and counts the nodes. */
	public static void beat(RedisThrottleStore store) {
		store.beat();
	}

}
