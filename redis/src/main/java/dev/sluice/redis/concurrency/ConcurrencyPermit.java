package dev.sluice.redis.concurrency;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.throttle.Permit;

/** One entry of an owner: a permit of a semaphore or mutex. */
final class ConcurrencyPermit implements Permit {

	private final Holding hold;

	private final String entry;

	private final AtomicBoolean closed = new AtomicBoolean();

	ConcurrencyPermit(Holding hold, String entry) {
		this.hold = hold;
		this.entry = entry;
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.hold.exit(this.entry);
		}
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(this.hold.token());
	}

	@Override
	public void onLost(Runnable action) {
		this.hold.onLost(() -> {
			if (!this.closed.get()) {
				action.run();
			}
		});
	}

}
