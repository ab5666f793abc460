package dev.sluice.test.cluster;

import java.time.Duration;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.MemoryBus;
import dev.sluice.test.SettableClock;

class MemoryBusRecordsContractTests extends ClusterRecordsContract {

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	@Override
	protected ClusterBus connect() {
		return this.bus.connect();
	}

	@Override
	protected void pass(Duration time) {
		this.clock.advance(time);
	}

}
