package dev.sluice.test.store;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.ThrottlingManager;

/** The memory of one node, reached without a store between. */
class MemoryContractTests extends ThrottleStoreContract {

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.build();

	@Override
	public ThrottlingManager node() {
		return this.manager;
	}

	@Override
	public ThrottlingManager otherNode() {
		return this.manager;
	}

	@Override
	public StoreTime time() {
		return StoreTime.of(this.clock);
	}

}
