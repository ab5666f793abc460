package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import dev.sluice.test.trial.HostileKeysContract;
import dev.sluice.throttle.store.ThrottleStore;

/** Hostile texts in the memory that two nodes share. */
class HostileKeysTests implements HostileKeysContract {

	private final SettableClock clock = new SettableClock();

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
	public Duration patience() {
		return Duration.ofSeconds(10);
	}

}
