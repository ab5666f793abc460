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
	 * Creates the answer to an admitted call; for stores.
	 * @param permit what was granted
	 * @return the decision
	 */
	public static Decision admitted(Permit permit) {
		return (permit != SpentPermit.INSTANCE) ? new Decision(permit) : SPENT;
	}

	/**
	 * Creates the answer to a rejected call; for stores.
	 * @param reason why
	 * @param resource the throttle's name
	 * @param key the key
	 * @param retryAfter when the same call could be admitted, or {@code null} if nobody
	 * can know
	 * @return the decision
	 */
	public static Decision rejected(Reason reason, String resource, String key, @Nullable Duration retryAfter) {
		return new Decision(reason, resource, key, (retryAfter != null) ? retryAfter.toNanos() : UNKNOWN);
	}

	/**
	 * Creates the answer to a rejected call without an object for its time; for stores.
	 * @param reason why
	 * @param resource the throttle's name
	 * @param key the key
	 * @param retryAfterNanos the nanoseconds after which the same call could be admitted,
	 * or -1 if nobody can know
	 * @return the decision
	 */
	public static Decision rejected(Reason reason, String resource, String key, long retryAfterNanos) {
		return new Decision(reason, resource, key, retryAfterNanos);
	}

	/**
	 * Returns whether the call was admitted.
	 * @return {@code true} if there is a {@link #permit() permit}
	 */
	public boolean admitted() {
		return this.permit != null;
	}

	/**
	 * Returns the time after which the same call would be admitted if nobody else came;
	 * behind a line, after those who wait.
	 * @return a positive time if rejected, zero if admitted, {@code null} if it depends
	 * on who holds the permits
	 */
	public @Nullable Duration retryAfter() {
		return (this.retryAfterNanos != UNKNOWN) ? Duration.ofNanos(this.retryAfterNanos) : null;
	}

	/**
	 * Returns what was granted.
	 * @return the permit; for rates a shared one whose {@code close} does nothing
	 * @throws IllegalStateException if the call was rejected
	 */
	public Permit permit() {
		if (this.permit == null) {
			throw new IllegalStateException("Rejected by '" + this.resource + "': there is no permit");
		}
		return this.permit;
	}

	/**
	 * Returns why it was decided so.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Returns the exception that tells this rejection.
	 * @return a new exception
	 * @throws IllegalStateException if the call was admitted
	 */
	public ThrottledException throttled() {
		if (this.permit != null) {
			throw new IllegalStateException("Admitted: there is no rejection to tell");
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

		/** There was room. */
		ADMITTED,

		/** The limit is reached. */
		LIMIT,

		/** Others wait for the key, and nobody passes them. */
		LINE,

		/** The throttle has as many keys as it may, and this one is new. */
		KEY_CAP,

		/** The store could not be asked. */
		STORE,

		/**
		 * The permits are held by a call within which this one was made: it would wait
		 * for itself. Given by the annotations and the template, not by limits.
		 */
		NESTED,

		/**
		 * The call is to release permits that its owner does not hold. Given by the
		 * annotations, not by limits.
		 */
		NOT_HELD

	}

}
