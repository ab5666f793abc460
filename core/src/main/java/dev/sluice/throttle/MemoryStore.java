package dev.sluice.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.sluice.time.NanoClock;

/** The memory of this node as a store that several managers may share. */
final class MemoryStore implements ThrottleStore {

	private final ThrottlingManager manager;

	MemoryStore(NanoClock clock) {
		this.manager = new DefaultThrottlingManager(clock, Runnable::run, null);
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		return Optional.of(new InMemory((MemoryThrottle<?>) this.manager.addOrUpdate(resource, limit, options)));
	}

	/** A throttle in memory behind the seam, where even a rate's permit can be undone. */
	private final class InMemory implements StoredThrottle {

		private final MemoryThrottle<?> throttle;

		InMemory(MemoryThrottle<?> throttle) {
			this.throttle = throttle;
		}

		@Override
		public Limit limit() {
			return this.throttle.limit();
		}

		@Override
		public LimitOptions options() {
			return this.throttle.options();
		}

		@Override
		public Decision tryAcquire(AcquireRequest request) {
			return step(request).tryAcquire();
		}

		@Override
		public CompletableFuture<Permit> acquire(AcquireRequest request) {
			return limit().isHeld() ? this.throttle.acquire(request) : step(request).acquireRates(Duration.ZERO);
		}

		private Step step(AcquireRequest request) {
			return Step.of(List.of(new Demand(this.throttle, request)));
		}

		@Override
		public void refund(AcquireRequest request, Permit permit) {
			Refundable.refund(permit);
		}

		@Override
		public boolean release(String key, String owner) {
			return this.throttle.release(key, owner);
		}

		@Override
		public boolean forget(String key) {
			return this.throttle.forget(key);
		}

		@Override
		public KeyState state(String key) {
			return this.throttle.state(key);
		}

		@Override
		public ThrottleSnapshot snapshot(int top) {
			return this.throttle.snapshot(top);
		}

		@Override
		public boolean change(Limit limit, LimitOptions options) {
			return this.throttle.update(limit, options);
		}

		@Override
		public void remove() {
			MemoryStore.this.manager.remove(this.throttle.resource());
		}

	}

}
