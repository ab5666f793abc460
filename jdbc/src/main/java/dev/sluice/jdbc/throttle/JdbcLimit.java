package dev.sluice.jdbc.throttle;

import java.time.Duration;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.internal.failover.ServerThrottle;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/** Limit in the database, as its permits and its waiting calls use it. */
interface JdbcLimit extends ServerThrottle {

	/** Returns the statements about this limit. */
	LimitStatements statements();

	/** Returns how long a permit is held without a renewal by its node. */
	Duration lease();

	/**
	 * Receives the version of the definition by which the database has decided; 0 if the
	 * limit does not exist there.
	 */
	void hear(long version);

	/**
	 * Returns the failure of a call that has no answer. If the database is unavailable,
	 * this is the rejection of a call that the database has not decided.
	 */
	default Throwable reason(AcquireRequest request, Throwable failure) {
		Throwable cause = Failures.cause(failure);
		return (cause instanceof StoreUnavailableException) ? unavailable(request.key()).throttled() : cause;
	}

	/**
	 * Counts a rejected call, and makes the decision.
	 * @param wait when to retry, in microseconds; negative if the time is unknown
	 */
	Decision rejected(AcquireRequest request, Decision.Reason reason, long wait);

}
