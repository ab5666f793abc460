package dev.sluice.redis.concurrency;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.throttle.Permit;

/** Permit of a semaphore or mutex, which is one entry of its owner. */
final class ConcurrencyPermit implements Permit {

	/*
	 * "closed" changes once, by CAS, so an entry is released once. Attacked by
	 * RedisConcurrencyTests.
	 */

	private final Holding holding;

	private final String entry;

	private final AtomicBoolean closed = new AtomicBoolean();

	ConcurrencyPermit(Holding holding, String entry) {
		this.holding = holding;
		this.entry = entry;
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.holding.exit(this.entry);
		}
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(this.holding.token());
	}

	@Override
	public void onLost(Runnable action) {
		this.holding.onLost(() -> {
			if (!this.closed.get()) {
				action.run();
			}
		});
	}

}
