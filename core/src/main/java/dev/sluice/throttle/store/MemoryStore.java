package dev.sluice.throttle.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.internal.Refundable;
import dev.sluice.throttle.internal.joint.JointMemoryStep;
import dev.sluice.throttle.internal.joint.ResourceRequest;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import dev.sluice.time.NanoClock;

/** Memory of this node as a store that several managers may share. */
final class MemoryStore implements ThrottleStore {

	/*
	 * "opened" has one object for each throttle of the manager. An object is removed when
	 * "opened" has another object, or none, for its name. "options" is replaced as a
	 * whole, after the throttle has changed. Attacked by StoredThrottleTests.
	 */

	private final ThrottlingManager manager;

	private final Map<String, InMemory> opened = new ConcurrentHashMap<>();

	MemoryStore(NanoClock clock) {
		this.manager = ThrottlingManager.builder().clock(clock).completionExecutor(Runnable::run).build();
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		MemoryThrottle<?> throttle = (MemoryThrottle<?>) this.manager.addOrUpdate(resource, limit, enforced(options));
		InMemory stored = this.opened.compute(resource,
				(name, known) -> (known != null && known.throttle == throttle) ? known : new InMemory(throttle));
		stored.options = options;
		return Optional.of(stored);
	}

	@Override
	public Optional<StoredThrottle> find(String resource) {
		return Optional.ofNullable(this.opened.get(resource));
	}

	/** Returns the same options for a limit that rejects. */
	private static LimitOptions enforced(LimitOptions options) {
		return options.dryRun() ? options.toBuilder().dryRun(false).build() : options;
	}

	/**
	 * A throttle in memory behind the seam, where even a rate's permit can be undone. Dry
	 * runs are the business of those in front of it.
	 */
	private final class InMemory implements StoredThrottle {

		private final MemoryThrottle<?> throttle;

		private volatile LimitOptions options;

		InMemory(MemoryThrottle<?> throttle) {
			this.throttle = throttle;
			this.options = throttle.options();
		}

		@Override
		public Limit limit() {
			return this.throttle.limit();
		}

		@Override
		public LimitOptions options() {
			return this.options;
		}

		@Override
		public Decision tryAcquire(AcquireRequest request) {
			return step(request).tryAcquire();
		}

		@Override
		public CompletableFuture<Permit> acquire(AcquireRequest request) {
			return limit().isHeld() ? this.throttle.acquire(request)
					: step(request).acquire(this.throttle.clock.nanoTime());
		}

		private JointMemoryStep step(AcquireRequest request) {
			return JointMemoryStep.of(List.of(new ResourceRequest(this.throttle, request)));
		}

		@Override
		public void refund(AcquireRequest request, Permit permit) {
			Refundable.refund(permit);
		}

		@Override
		public boolean release(String key, String owner) {
			return this.throttle.releaseUnreported(key, owner);
		}

		@Override
		public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
			return CompletableFuture.completedFuture(release(key, owner));
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
			ThrottleSnapshot now = this.throttle.snapshot(top);
			return new ThrottleSnapshot(now.resource(), now.limit(), this.options, now.version(), now.admitted(),
					now.rejected(), now.waiting(), now.keys(), now.held(), now.hottest(), now.holders());
		}

		@Override
		public boolean change(Limit limit, LimitOptions options) {
			boolean changed = this.throttle.update(limit, enforced(options));
			this.options = changed ? options : this.options;
			return changed;
		}

		@Override
		public void remove() {
			MemoryStore.this.manager.remove(this.throttle.resource());
			MemoryStore.this.opened.remove(this.throttle.resource(), this);
		}

		@Override
		public boolean isRemoved() {
			return MemoryStore.this.opened.get(this.throttle.resource()) != this;
		}

	}

}
