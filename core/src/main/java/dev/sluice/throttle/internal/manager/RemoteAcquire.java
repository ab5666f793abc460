package dev.sluice.throttle.internal.manager;

import java.util.concurrent.CompletableFuture;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.Refundable;
import org.jspecify.annotations.Nullable;

/** Future of a call that a store is to admit. */
final class RemoteAcquire extends CompletableFuture<Permit> {

	/*
	 * The store's future ends on a thread of the store, this one on the completion
	 * executor; or at once on the caller's thread, if the store has decided by then. If
	 * this one ends from outside, the store's is cancelled; whichever of the two the
	 * grant meets, it goes back: the store takes it back, or it arrives here, finds this
	 * future done, and is refunded.
	 *
	 * Attacked by StoredThrottleTests.
	 */

	private final RemoteGrants grants;

	private final AcquireRequest request;

	private final boolean dryRun;

	private final long since;

	RemoteAcquire(RemoteGrants grants, AcquireRequest request, boolean dryRun) {
		this.grants = grants;
		this.request = request;
		this.dryRun = dryRun;
		this.since = grants.now();
	}

	RemoteAcquire follow(CompletableFuture<Permit> stored) {
		if (stored.isDone()) {
			stored.whenComplete(this::end);
			return this;
		}
		stored.whenComplete((permit, ex) -> this.grants.execute(() -> end(permit, ex)));
		whenComplete((permit, ex) -> stored.cancel(false));
		return this;
	}

	/** Rejects the call, if it has not ended, and so leaves the line in the store. */
	void reject() {
		end(null, new ThrottledException(this.request.resource(), this.request.key(), null));
	}

	private void end(@Nullable Permit granted, @Nullable Throwable failure) {
		Permit permit = (granted != null) ? this.grants.granted(this.request, granted) : null;
		Throwable cause = (failure != null) ? Failures.cause(failure) : null;
		if (permit != null) {
			this.grants.report(this.request, Decision.Reason.ADMITTED, waited());
		}
		else if (cause instanceof ThrottledException throttled) {
			this.grants.report(this.request, throttled.reason(), waited());
		}
		if (this.dryRun && cause instanceof ThrottledException) {
			permit = Permit.spent();
		}
		if (permit == null) {
			completeExceptionally((cause != null) ? cause
					: new IllegalStateException("The store granted nothing of '" + this.request.resource() + "'"));
		}
		else if (!complete(permit)) {
			Refundable.refund(permit);
		}
	}

	private long waited() {
		return this.grants.elapsed(this.since);
	}

}
