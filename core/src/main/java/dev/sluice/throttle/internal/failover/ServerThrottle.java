package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.store.StoredThrottle;

/**
 * Limit at a server, which decides on calls while it is available. A call without a
 * decision of the server is rejected with {@link Decision.Reason#STORE}, and is not
 * counted.
 */
public interface ServerThrottle extends StoredThrottle {

	/** Retry time of calls that the server has not decided. */
	Duration RETRY = Duration.ofSeconds(1);

	/** Returns the name of the limit. */
	String resource();

	/** Returns the counts of the decisions of this node. */
	NodeCounts counts();

	/** Returns whether the server is considered unavailable. */
	boolean isUnavailable();

	/** Returns the rejection of a call that the server has not decided. */
	default Decision unavailable(String key) {
		return Decision.rejected(Decision.Reason.STORE, resource(), key, RETRY);
	}

	/**
	 * Completes a call with a decision. If the call has already ended, its permit is
	 * refunded.
	 */
	default void answer(CompletableFuture<Permit> call, AcquireRequest request, Decision decision) {
		if (!decision.admitted()) {
			call.completeExceptionally(decision.throttled());
		}
		else if (!call.complete(decision.permit())) {
			refund(request, decision.permit());
		}
	}

	/**
	 * Requires that this node has not been notified of the limit's removal.
	 * @throws IllegalStateException if the limit was removed
	 */
	void requireDefined();

	/**
	 * Requires that the current thread may block.
	 * @throws IllegalStateException on a thread that must not block
	 */
	void requireMayBlock();

	/** Ends all waiting calls that the server has not decided, as it is unavailable. */
	void leaveLine();

	/** Rejects all waiting calls, as the limit was removed or the store is closed. */
	void failAll();

}
