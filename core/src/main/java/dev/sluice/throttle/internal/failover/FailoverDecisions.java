package dev.sluice.throttle.internal.failover;

import java.time.Duration;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.store.StoredThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Decisions on calls of one limit that the server does not make, by its fail-over policy.
 */
final class FailoverDecisions {

	private final ServerThrottle stored;

	private final FailurePolicy defaultPolicy;

	private final LocalShare share;

	private final FailoverCounters counters;

	FailoverDecisions(ServerThrottle stored, FailurePolicy defaultPolicy, LocalShare share, FailoverCounters counters) {
		this.stored = stored;
		this.defaultPolicy = defaultPolicy;
		this.share = share;
		this.counters = counters;
	}

	FailurePolicy policy() {
		FailurePolicy policy = this.stored.options().failurePolicy();
		return (policy != null) ? policy : this.defaultPolicy;
	}

	/** Returns this node's share of the limit. */
	StoredThrottle share() {
		return this.share.of(this.stored.limit(), this.stored.options());
	}

	/** Returns this node's share as it was last, if one was ever taken. */
	@Nullable StoredThrottle lastShare() {
		return this.share.last();
	}

	Decision decide(AcquireRequest request) {
		return switch (policy()) {
			case CLOSED -> rejected(request, FailurePolicy.CLOSED, ServerThrottle.RETRY);
			case OPEN -> Decision.admitted(admittedFreely(request));
			case LOCAL -> decideHere(request);
		};
	}

	private Decision decideHere(AcquireRequest request) {
		StoredThrottle here = share();
		if (request.permits() > here.limit().maxPermits()) {
			return rejected(request, FailurePolicy.LOCAL, ServerThrottle.RETRY);
		}
		Decision decision = here.tryAcquire(request);
		return decision.admitted() ? Decision.admitted(admittedHere(request, here, decision.permit()))
				: rejected(request, FailurePolicy.LOCAL, decision.retryAfter());
	}

	/** Counts a call that needs no permit now, and makes it one. */
	Permit admittedFreely(AcquireRequest request) {
		admitted(request, FailurePolicy.OPEN);
		return Permit.spent();
	}

	/** Counts a call that was granted this node's own permits, and makes it one. */
	Permit admittedHere(AcquireRequest request, StoredThrottle here, Permit granted) {
		admitted(request, FailurePolicy.LOCAL);
		return new LocalPermit(here, granted);
	}

	private void admitted(AcquireRequest request, FailurePolicy policy) {
		this.stored.counts().admitted(request.permits());
		this.counters.count(policy, true);
	}

	/** Counts a call that is rejected by a policy, and makes the decision. */
	Decision rejected(AcquireRequest request, FailurePolicy policy, @Nullable Duration retryAfter) {
		this.stored.counts().rejected(request.key());
		this.counters.count(policy, false);
		return Decision.rejected(Decision.Reason.STORE, request.resource(), request.key(), retryAfter);
	}

	/** Gives a permit back to where it was granted. */
	void refund(AcquireRequest request, Permit permit) {
		boolean here = permit instanceof LocalPermit;
		if (!here && permit != Permit.spent()) {
			this.stored.refund(request, permit);
			return;
		}
		if (!this.stored.limit().isHeld()) {
			this.stored.counts().admitted(-request.permits());
		}
		if (permit instanceof LocalPermit local) {
			local.share().refund(request, local.granted());
		}
	}

}
