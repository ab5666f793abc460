package dev.sluice.test.cluster;

import dev.sluice.cluster.ClusterBus;
import dev.sluice.cluster.MemoryBus;

class MemoryBusPresenceContractTests extends ClusterPresenceContract {

	private final MemoryBus bus = new MemoryBus();

	@Override
	protected ClusterBus connect() {
		return this.bus.connect();
	}

}
