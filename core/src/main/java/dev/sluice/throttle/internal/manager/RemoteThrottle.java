package dev.sluice.throttle.internal.manager;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.internal.Listening;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.OwnerReleases;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.argument.BoundedText;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.throttle.internal.line.Completions;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Throttle whose state is in a store. */
final class RemoteThrottle implements ManagedThrottle {

	/*
	 * A call is added to "pending" before "linesClosed" is read, and "linesClosed" is
	 * written before "pending" is read. A call that waits is therefore rejected by one of
	 * the two threads. "removed" is only ever set, after the store has removed the limit.
	 * Attacked by ManagerCloseTests and StoredThrottleTests.
	 */

	private final String resource;

	private final StoredThrottle stored;

	private final RemoteGrants grants;

	private final OwnerReleases releases = new OwnerReleases();

	/** Calls of this manager that have yet to end. */
	private final Set<RemoteAcquire> pending = ConcurrentHashMap.newKeySet();

	private volatile boolean removed;

	/** Written before the pending calls are rejected, and read after one was added. */
	private volatile boolean linesClosed;

	RemoteThrottle(String resource, StoredThrottle stored, Completions completions, NanoClock clock,
			@Nullable Listening listening) {
		this.resource = resource;
		this.stored = stored;
		this.grants = new RemoteGrants(stored, completions, clock, listening);
	}

	@Override
	public String resource() {
		return this.resource;
	}

	@Override
	public Limit limit() {
		return this.stored.limit();
	}

	@Override
	public LimitOptions options() {
		return this.stored.options();
	}

	@Override
	public Decision tryAcquire(String key, int permits) {
		checkPermits(permits);
		return tryAcquire(AcquireRequest.of(this.resource, key).permits(permits));
	}

	@Override
	public Decision tryAcquire(AcquireRequest request) {
		requireDefined();
		Decision decision = this.stored.tryAcquire(request);
		this.grants.report(request, decision.reason(), 0);
		if (decision.admitted()) {
			return Decision.admitted(this.grants.granted(request, decision.permit()));
		}
		return options().dryRun() ? Verdict.SPENT : decision;
	}

	@Override
	public long tryAcquireNanos(String key, int permits) {
		if (limit().isHeld()) {
			throw Checks.held(this.resource, limit().type());
		}
		Decision decision = tryAcquire(key, permits);
		Duration retryAfter = decision.retryAfter();
		if (retryAfter == null) {
			throw new IllegalStateException("The store returned no retry time for '" + this.resource + "'");
		}
		return retryAfter.toNanos();
	}

	@Override
	public CompletableFuture<Permit> acquire(String key, int permits, Duration maxWait) {
		checkPermits(permits);
		return acquire(AcquireRequest.of(this.resource, key).permits(permits).maxWait(maxWait));
	}

	@Override
	public CompletableFuture<Permit> acquire(AcquireRequest request) {
		requireDefined();
		boolean dryRun = options().dryRun();
		AcquireRequest asked = (dryRun || this.linesClosed) ? request.maxWait(Duration.ZERO) : request;
		RemoteAcquire call = new RemoteAcquire(this.grants, asked, dryRun).follow(this.stored.acquire(asked));
		if (!call.isDone() && !asked.maxWait().isZero()) {
			this.pending.add(call);
			call.whenComplete((permit, failure) -> this.pending.remove(call));
			if (this.linesClosed) {
				call.reject();
			}
		}
		return call;
	}

	@Override
	public void closeLines() {
		this.linesClosed = true;
		this.pending.forEach(RemoteAcquire::reject);
	}

	@Override
	public boolean isStored() {
		return true;
	}

	@Override
	public void checkPermits(int permits) {
		Checks.permits(this.resource, permits, limit().maxPermits());
	}

	/** Returns whether the limit was removed, by this node or another. */
	boolean isRemoved() {
		return this.removed || this.stored.isRemoved();
	}

	private void requireDefined() {
		if (this.removed) {
			throw new IllegalStateException("Throttle '" + this.resource + "' was removed");
		}
	}

	@Override
	public boolean release(String key, String owner) {
		Checks.notNull("key", key);
		Checks.notNull("owner", owner);
		String boundedKey = BoundedText.of("key", key);
		String boundedOwner = BoundedText.of("owner", owner);
		if (!limit().isHeld()) {
			return false;
		}
		boolean found = this.stored.release(boundedKey, boundedOwner);
		this.releases.record(this.resource, found);
		return found;
	}

	@Override
	public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
		Checks.notNull("key", key);
		Checks.notNull("owner", owner);
		String boundedKey = BoundedText.of("key", key);
		String boundedOwner = BoundedText.of("owner", owner);
		if (!limit().isHeld()) {
			return CompletableFuture.completedFuture(false);
		}
		CompletableFuture<Boolean> released = this.stored.releaseAsync(boundedKey, boundedOwner);
		released.whenComplete((found, failure) -> {
			if (found != null) {
				this.releases.record(this.resource, found);
			}
		});
		if (released.isDone()) {
			return released;
		}
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		released.whenComplete((held, failure) -> this.grants.execute(() -> {
			if (failure != null) {
				answer.completeExceptionally(failure);
			}
			else {
				answer.complete(held);
			}
		}));
		return answer;
	}

	@Override
	public boolean forget(String key) {
		String bounded = BoundedText.of("key", key);
		return !limit().isHeld() && this.stored.forget(bounded);
	}

	@Override
	public KeyState state(String key) {
		return this.stored.state(BoundedText.of("key", key));
	}

	@Override
	public ThrottleSnapshot snapshot(int top) {
		Checks.notNegative("top", top);
		return this.stored.snapshot(top);
	}

	@Override
	public boolean update(Limit limit, LimitOptions options) {
		if (this.removed) {
			return false;
		}
		ManagedThrottle.checkKind(this.resource, limit(), limit);
		return this.stored.change(limit, options);
	}

	@Override
	public boolean remove() {
		if (this.removed) {
			return false;
		}
		this.stored.remove();
		this.removed = true;
		return true;
	}

	@Override
	public String toString() {
		return "Throttle[" + this.resource + ", " + limit() + ", stored" + (this.removed ? ", removed" : "") + "]";
	}

}
