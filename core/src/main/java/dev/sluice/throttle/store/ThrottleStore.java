package dev.sluice.throttle.store;

import java.util.Optional;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.time.NanoClock;

/**
 * SPI of stores that keep the state of limits outside the memory of one node and share it
 * between nodes. A manager with a store opens each defined limit in it, and then sends
 * each request to the opened limit.
 * <p>
 * Any store must pass the contract suite of the module {@code sluice-test},
 * {@code dev.sluice.test.store.ThrottleStoreContract}.
 *
 * @since 0.1.0
 * @see ThrottlingManager.Builder#store(ThrottleStore)
 */
@FunctionalInterface
public interface ThrottleStore {

	/**
	 * Opens a limit under a name. If another node has already defined the limit, it is
	 * changed to the given terms; otherwise it is created. Blocks at most for the
	 * time-out of one command.
	 * @param resource the name, already checked
	 * @param limit the limit
	 * @param options the options of the limit; a store may ignore options that it does
	 * not support
	 * @return the limit in the store, or empty to keep it in the memory of this node
	 * @throws IllegalArgumentException if the store has the name as another kind: a rate
	 * for a mutex or semaphore, or the other way round
	 */
	Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options);

	/**
	 * Opens a limit that another node has defined in the store. Called when this node has
	 * no limit of the requested name. Blocks at most for the time-out of one command.
	 * @param resource the name, which may be any text
	 * @return the limit in the store; empty if it does not exist, if the store is
	 * unavailable, or if the store does not keep definitions
	 */
	default Optional<StoredThrottle> find(String resource) {
		return Optional.empty();
	}

	/**
	 * Returns a store in the memory of this node, as a fallback of a remote store or as
	 * the starting point of store tests. Managers that share an instance behave like
	 * nodes that share a store. A manager without a store keeps its limits in memory at a
	 * lower cost.
	 * @param clock the clock of the limits
	 * @return a new and empty store
	 */
	static ThrottleStore inMemory(NanoClock clock) {
		Checks.notNull("clock", clock);
		return new MemoryStore(clock);
	}

}
