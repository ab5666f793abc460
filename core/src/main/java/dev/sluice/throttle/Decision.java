package dev.sluice.throttle;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Result of a {@code tryAcquire}. Immutable.
 *
 * @since 0.1.0
 */
public final class Decision {

	private static final long UNKNOWN = -1;

	private static final Decision SPENT = new Decision(SpentPermit.INSTANCE);

	private final @Nullable Permit permit;

	private final Reason reason;

	private final String resource;

	private final String key;

	private final long retryAfterNanos;

	private Decision(Permit permit) {
		this.permit = permit;
		this.reason = Reason.ADMITTED;
		this.resource = "";
		this.key = "";
		this.retryAfterNanos = 0;
	}

	private Decision(Reason reason, String resource, String key, long retryAfterNanos) {
		this.permit = null;
		this.reason = reason;
		this.resource = resource;
		this.key = key;
		this.retryAfterNanos = retryAfterNanos;
	}

	/**
	 * Creates the decision for an admitted call. Intended for stores.
	 * @param permit the granted permit
	 * @return the decision
	 */
	public static Decision admitted(Permit permit) {
		return (permit != SpentPermit.INSTANCE) ? new Decision(permit) : SPENT;
	}

	/**
	 * Creates the decision for a rejected call. Intended for stores.
	 * @param reason the reason
	 * @param resource the throttle's name
	 * @param key the key
	 * @param retryAfter the time after which the same call could be admitted, or
	 * {@code null} if it is unknown
	 * @return the decision
	 */
	public static Decision rejected(Reason reason, String resource, String key, @Nullable Duration retryAfter) {
		return new Decision(reason, resource, key, (retryAfter != null) ? retryAfter.toNanos() : UNKNOWN);
	}

	/**
	 * Creates the decision for a rejected call without allocating a {@link Duration}.
	 * Intended for stores.
	 * @param reason the reason
	 * @param resource the throttle's name
	 * @param key the key
	 * @param retryAfterNanos the nanoseconds after which the same call could be admitted,
	 * or -1 if it is unknown
	 * @return the decision
	 */
	public static Decision rejected(Reason reason, String resource, String key, long retryAfterNanos) {
		return new Decision(reason, resource, key, retryAfterNanos);
	}

	/**
	 * Returns whether the call was admitted.
	 * @return {@code true} if the decision has a {@link #permit() permit}
	 */
	public boolean admitted() {
		return this.permit != null;
	}

	/**
	 * Returns the time after which the same call would be admitted if no other call
	 * arrived. If the key has a waiting line, the time includes the waiters ahead.
	 * @return a positive time if rejected, zero if admitted, {@code null} if it depends
	 * on the holders of the permits
	 */
	public @Nullable Duration retryAfter() {
		return (this.retryAfterNanos != UNKNOWN) ? Duration.ofNanos(this.retryAfterNanos) : null;
	}

	/**
	 * Returns the granted permit.
	 * @return the permit; for rate limits a shared instance whose {@code close} has no
	 * effect
	 * @throws IllegalStateException if the call was rejected
	 */
	public Permit permit() {
		if (this.permit == null) {
			throw new IllegalStateException("Rejected by '" + this.resource + "': the decision has no permit");
		}
		return this.permit;
	}

	/**
	 * Returns the reason of the decision.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Returns this rejection as an exception.
	 * @return a new exception
	 * @throws IllegalStateException if the call was admitted
	 */
	public ThrottledException throttled() {
		if (this.permit != null) {
			throw new IllegalStateException("Admitted: the decision is no rejection");
		}
		return new ThrottledException(this.resource, this.key, retryAfter(), this.reason);
	}

	@Override
	public String toString() {
		if (this.permit != null) {
			return "Decision[ADMITTED]";
		}
		return "Decision[" + this.reason + ", resource=" + this.resource + ", retryAfter=" + retryAfter() + "]";
	}

	/**
	 * Reason why a call is admitted or rejected.
	 *
	 * @since 0.1.0
	 */
	public enum Reason {

		/** A permit was available. */
		ADMITTED,

		/** The limit is reached. */
		LIMIT,

		/** The key has waiters, and a call never overtakes them. */
		LINE,

		/** The key is new and the throttle has its maximum number of keys. */
		KEY_CAP,

		/** The store is unavailable. */
		STORE,

		/**
		 * An enclosing call holds the permits, so that this call would wait for itself.
		 * Used by the annotations and the template, not by limits.
		 */
		NESTED,

		/**
		 * The call was to release permits that its owner does not hold. Used by the
		 * annotations, not by limits.
		 */
		NOT_HELD

	}

}
