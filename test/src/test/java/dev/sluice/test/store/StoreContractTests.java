package dev.sluice.test.store;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;

/** Two nodes that share a store, on a clock that passes zero. */
class StoreContractTests extends ThrottleStoreContract {

	private final SettableClock clock = new SettableClock(-3_500_000_000L);

	private final ThrottleStore store = ThrottleStore.inMemory(this.clock);

	private final ThrottlingManager node = manager();

	private final ThrottlingManager otherNode = manager();

	private ThrottlingManager manager() {
		return ThrottlingManager.builder()
			.clock(this.clock)
			.completionExecutor(Runnable::run)
			.store(this.store)
			.build();
	}

	@Override
	public ThrottlingManager node() {
		return this.node;
	}

	@Override
	public ThrottlingManager otherNode() {
		return this.otherNode;
	}

	@Override
	public StoreTime time() {
		return StoreTime.of(this.clock);
	}

}
