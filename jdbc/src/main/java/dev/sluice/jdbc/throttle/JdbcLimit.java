package dev.sluice.jdbc.throttle;

import java.time.Duration;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.internal.failover.ServerThrottle;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/** Limit in the database, as its permits and its waiting calls see it. */
interface JdbcLimit extends ServerThrottle {

	/** Returns what it asks the database. */
	LimitStatements statements();

	/** Returns how long a permit is held when nothing is heard of its node. */
	Duration lease();

	/** Hears the version of the definition that an answer goes by; 0 if there is none. */
	void hear(long version);

	/**
	 * Returns how a call ends that was not answered: by a decision, if nobody has made
	 * it.
	 */
	default Throwable reason(AcquireRequest request, Throwable failure) {
		Throwable cause = Failures.cause(failure);
		return (cause instanceof StoreUnavailableException) ? unavailable(request.key()).throttled() : cause;
	}

	/**
	 * Counts a rejected call, and makes the decision.
	 * @param wait when to retry, in microseconds; negative where nobody can know
	 */
	Decision rejected(AcquireRequest request, Decision.Reason reason, long wait);

}
