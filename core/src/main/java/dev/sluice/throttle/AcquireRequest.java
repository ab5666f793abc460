package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.throttle.internal.argument.BoundedText;
import dev.sluice.throttle.internal.argument.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Request for permits of one resource and key. Immutable: each setter returns a changed
 * copy.
 *
 * @since 0.1.0
 */
public final class AcquireRequest {

	private final String resource;

	private final String key;

	private final int permits;

	private final @Nullable String owner;

	private final Duration maxWait;

	private AcquireRequest(String resource, String key, int permits, @Nullable String owner, Duration maxWait) {
		this.resource = resource;
		this.key = key;
		this.permits = permits;
		this.owner = owner;
		this.maxWait = maxWait;
	}

	/**
	 * Returns a request for one permit, with a new owner and without waiting.
	 * @param resource the throttle's name
	 * @return the request
	 */
	public static AcquireRequest of(String resource) {
		return of(resource, "");
	}

	/**
	 * Returns a request for one permit of a key, with a new owner and without waiting.
	 * @param resource the throttle's name
	 * @param key any text; above 256 characters it is replaced by a digest, see
	 * {@link Throttle}
	 * @return the request
	 * @throws IllegalArgumentException if {@code resource} is empty or over 100
	 * characters
	 */
	public static AcquireRequest of(String resource, String key) {
		Checks.resource(resource);
		return new AcquireRequest(resource, BoundedText.of("key", key), 1, null, Duration.ZERO);
	}

	/**
	 * Sets the number of permits.
	 * @param permits at least 1
	 * @return the changed request
	 * @throws IllegalArgumentException if {@code permits} is below 1
	 */
	public AcquireRequest permits(int permits) {
		Checks.permits(permits);
		return new AcquireRequest(this.resource, this.key, permits, this.owner, this.maxWait);
	}

	/**
	 * Sets the owner of the permits. Calls with the same owner count once, and permits
	 * can be released by owner. Rate limits ignore the owner.
	 * @param owner any text that identifies a call, a message, a session or a batch;
	 * above 256 characters it is replaced by a digest, as for a key
	 * @return the changed request
	 */
	public AcquireRequest owner(String owner) {
		return new AcquireRequest(this.resource, this.key, this.permits, BoundedText.of("owner", owner), this.maxWait);
	}

	/**
	 * Sets the maximum time that the call waits in line. {@code tryAcquire} ignores it.
	 * @param maxWait zero or more
	 * @return the changed request
	 * @throws IllegalArgumentException if {@code maxWait} is negative
	 */
	public AcquireRequest maxWait(Duration maxWait) {
		Checks.notNegative("maxWait", maxWait);
		return new AcquireRequest(this.resource, this.key, this.permits, this.owner, maxWait);
	}

	/**
	 * Returns the throttle's name.
	 * @return the resource
	 */
	public String resource() {
		return this.resource;
	}

	/**
	 * Returns the key.
	 * @return the key; empty for an unpartitioned limit
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the number of requested permits.
	 * @return at least 1
	 */
	public int permits() {
		return this.permits;
	}

	/**
	 * Returns the owner of the permits.
	 * @return the owner, or {@code null} for a new one
	 */
	public @Nullable String owner() {
		return this.owner;
	}

	/**
	 * Returns the maximum time that the call waits.
	 * @return zero or more
	 */
	public Duration maxWait() {
		return this.maxWait;
	}

	@Override
	public String toString() {
		return "AcquireRequest[resource=" + this.resource + ", permits=" + this.permits + ", maxWait=" + this.maxWait
				+ "]";
	}

}
