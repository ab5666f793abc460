package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.store.StoredThrottle;

/**
 * Limit at a server, which decides on its calls whenever it can be asked. What it cannot
 * decide is rejected as the store's, and counted by nobody.
 */
public interface ServerThrottle extends StoredThrottle {

	/** When to retry what the server has not decided. */
	Duration RETRY = Duration.ofSeconds(1);

	/** Returns the name of the limit. */
	String resource();

	/** Returns the counts of what this node has decided. */
	NodeCounts counts();

	/** Returns whether it makes no sense to ask the server now. */
	boolean isUnavailable();

	/** Returns the decision on a call that the server has not decided. */
	default Decision unavailable(String key) {
		return Decision.rejected(Decision.Reason.STORE, resource(), key, RETRY);
	}

	/** Ends a call with a decision; gives back the permit of a call that has ended. */
	default void answer(CompletableFuture<Permit> call, AcquireRequest request, Decision decision) {
		if (!decision.admitted()) {
			call.completeExceptionally(decision.throttled());
		}
		else if (!call.complete(decision.permit())) {
			refund(request, decision.permit());
		}
	}

	/**
	 * Requires that the limit was not removed, as far as this node has heard.
	 * @throws IllegalStateException if it was
	 */
	void requireDefined();

	/**
	 * Requires a thread that may wait for an answer.
	 * @throws IllegalStateException on one that must not block
	 */
	void requireMayBlock();

	/** Ends all calls in line that the server has not decided, as it is unavailable. */
	void leaveLine();

	/** Rejects all calls in line: the limit was removed, or the store is closed. */
	void failAll();

}
