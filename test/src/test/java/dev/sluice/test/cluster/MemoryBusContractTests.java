package dev.sluice.test.cluster;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;

/** Nodes of one virtual machine. */
class MemoryBusContractTests extends ClusterBusContract {

	private final MemoryBus bus = new MemoryBus();

	@Override
	protected ClusterBus connect() {
		return this.bus.connect();
	}

}
