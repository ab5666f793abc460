package dev.sluice.redis.availability;

import java.time.Duration;

import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.store.StoredThrottle;
import org.jspecify.annotations.Nullable;

/** Decisions on calls of one limit that Redis does not make, by its fail-over policy. */
final class FailoverDecisions {

	private final RedisThrottle redis;

	private final FailurePolicy defaultPolicy;

	private final LocalShare share;

	private final FailoverCounters counters;

	FailoverDecisions(RedisThrottle redis, FailurePolicy defaultPolicy, LocalShare share, FailoverCounters counters) {
		this.redis = redis;
		this.defaultPolicy = defaultPolicy;
		this.share = share;
		this.counters = counters;
	}

	FailurePolicy policy() {
		FailurePolicy policy = this.redis.options().failurePolicy();
		return (policy != null) ? policy : this.defaultPolicy;
	}

	/** Returns this node's share of the limit. */
	StoredThrottle share() {
		return this.share.of(this.redis.limit(), this.redis.options());
	}

	/** Returns this node's share as it was last, if one was ever taken. */
	@Nullable StoredThrottle lastShare() {
		return this.share.last();
	}

	Decision decide(AcquireRequest request) {
		return switch (policy()) {
			case CLOSED -> rejected(request, FailurePolicy.CLOSED, RedisThrottle.RETRY);
			case OPEN -> Decision.admitted(admittedFreely(request));
			case LOCAL -> decideHere(request);
		};
	}

	private Decision decideHere(AcquireRequest request) {
		StoredThrottle here = share();
		if (request.permits() > here.limit().maxPermits()) {
			return rejected(request, FailurePolicy.LOCAL, RedisThrottle.RETRY);
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
		this.redis.counts().admitted(request.permits());
		this.counters.count(policy, true);
	}

	/** Counts a call that is rejected by a policy, and makes the decision. */
	Decision rejected(AcquireRequest request, FailurePolicy policy, @Nullable Duration retryAfter) {
		this.redis.counts().rejected(request.key());
		this.counters.count(policy, false);
		return Decision.rejected(Decision.Reason.STORE, request.resource(), request.key(), retryAfter);
	}

	/** Gives a permit back to where it was granted. */
	void refund(AcquireRequest request, Permit permit) {
		boolean here = permit instanceof LocalPermit;
		if (!here && permit != Permit.spent()) {
			this.redis.refund(request, permit);
			return;
		}
		if (!this.redis.limit().isHeld()) {
			this.redis.counts().admitted(-request.permits());
		}
		if (permit instanceof LocalPermit local) {
			local.share().refund(request, local.granted());
		}
	}

}
