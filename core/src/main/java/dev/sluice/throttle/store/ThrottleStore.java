package dev.sluice.throttle.store;

import java.util.Optional;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.internal.Checks;
import dev.sluice.throttle.internal.manager.MemoryStore;
import dev.sluice.time.NanoClock;

/**
 * Store of the state of limits outside the memory of one node; the SPI for stores shared
 * by many nodes. A manager that was given one asks it to open each limit that is defined,
 * and from then on asks what was opened.
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
	 * Opens a limit under a name: creates it, or changes it to these terms if the store
	 * knows it already, because another node has defined it. May block for as long as one
	 * command to the store may take.
	 * @param resource the name, already checked
	 * @param limit what it grants
	 * @param options the options beside the limit; a store may ignore those it does not
	 * know
	 * @return the limit in the store, or empty to leave it to the memory of this node
	 * @throws IllegalArgumentException if the store has the name as another kind: a rate
	 * for a mutex or semaphore, or the other way round
	 */
	Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options);

	/**
	 * Opens a limit that is defined in the store, by any node, and not on this one. Asked
	 * when a limit is called for by a name that is not known here; may block for as long
	 * as one command to the store may take.
	 * @param resource the name, which may be any text
	 * @return the limit in the store; empty if there is none, if the store cannot be
	 * asked, or if it does not keep definitions
	 */
	default Optional<StoredThrottle> find(String resource) {
		return Optional.empty();
	}

	/**
	 * Returns a store in the memory of this node: what a store over the network may fall
	 * back to, and what tests of stores can start from. Managers that share one act like
	 * nodes that do. A manager without a store keeps its limits in memory at less cost.
	 * @param clock the clock that limits go by
	 * @return a new and empty store
	 */
	static ThrottleStore inMemory(NanoClock clock) {
		Checks.notNull("clock", clock);
		return new MemoryStore(clock);
	}

}
