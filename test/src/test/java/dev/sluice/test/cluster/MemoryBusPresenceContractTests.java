package dev.sluice.test.cluster;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;

class MemoryBusPresenceContractTests extends ClusterPresenceContract {

	private final MemoryBus bus = new MemoryBus();

	@Override
	protected ClusterBus connect() {
		return this.bus.connect();
	}

}
