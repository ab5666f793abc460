package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.store.StoredThrottle;
import org.jspecify.annotations.Nullable;

/** Decisions on calls of one limit that the database does not make, by policy. */
final class Failover {

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final JdbcThrottle throttle;

	private final Node node;

	private final LocalShare share;

	Failover(JdbcThrottle throttle, Node node) {
		this.throttle = throttle;
		this.node = node;
		this.share = new LocalShare(throttle.resource(), node.nodes()::get);
	}

	FailurePolicy policy() {
		FailurePolicy policy = this.throttle.options().failurePolicy();
		return (policy != null) ? policy : this.node.failurePolicy();
	}

	StoredThrottle share() {
		return this.share.of(this.throttle.limit(), this.throttle.options());
	}

	@Nullable StoredThrottle lastShare() {
		return this.share.last();
	}

	Decision decide(AcquireRequest request) {
		if (policy() != FailurePolicy.LOCAL || request.permits() > share().limit().maxPermits()) {
			return (policy() == FailurePolicy.OPEN) ? admitted(request, Permit.spent(), FailurePolicy.OPEN)
					: rejected(request, RETRY);
		}
		StoredThrottle here = share();
		Decision decision = here.tryAcquire(request);
		return decision.admitted() ? admitted(request, new LocalPermit(here, decision.permit()), FailurePolicy.LOCAL)
				: rejected(request, decision.retryAfter());
	}

	/** Decides on a call that may wait: in line here, if the policy is to limit here. */
	CompletableFuture<Permit> acquire(AcquireRequest request) {
		if (policy() != FailurePolicy.LOCAL || request.maxWait().isZero()
				|| request.permits() > share().limit().maxPermits()) {
			Decision decision = decide(request);
			return decision.admitted() ? CompletableFuture.completedFuture(decision.permit())
					: CompletableFuture.failedFuture(decision.throttled());
		}
		StoredThrottle here = share();
		CompletableFuture<Permit> waiting = here.acquire(request);
		CompletableFuture<Permit> result = waiting.handle((permit, failure) -> {
			if (failure == null) {
				return admitted(request, new LocalPermit(here, permit), FailurePolicy.LOCAL).permit();
			}
			Duration retry = (failure instanceof ThrottledException throttled) ? throttled.retryAfter() : null;
			throw new CompletionException(rejected(request, retry).throttled());
		});
		result.whenComplete((permit, failure) -> waiting.cancel(false));
		return result;
	}

	private Decision admitted(AcquireRequest request, Permit permit, FailurePolicy policy) {
		this.throttle.counts().admitted.add(request.permits());
		this.node.counters().count(policy, true);
		return Decision.admitted(permit);
	}

	private Decision rejected(AcquireRequest request, @Nullable Duration retryAfter) {
		this.throttle.counts().rejected(request.key());
		this.node.counters().count(policy(), false);
		return Decision.rejected(Decision.Reason.STORE, request.resource(), request.key(), retryAfter);
	}

}
