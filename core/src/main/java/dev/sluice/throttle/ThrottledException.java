package dev.sluice.throttle;

import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call is rejected by a limit. Carries no stack trace: rejections are
 * frequent, are no errors of the code that meets them, and must be cheap.
 *
 * @since 0.1.0
 */
public class ThrottledException extends RejectedExecutionException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String resource;

	private final String key;

	private final @Nullable Duration retryAfter;

	private final Decision.Reason reason;

	/**
	 * Creates an exception. The key stays out of its message, as keys may be personal.
	 * @param resource the throttle's name
	 * @param key the key that was over its limit
	 * @param retryAfter when to try again, or {@code null} if nobody can know
	 */
	public ThrottledException(String resource, String key, @Nullable Duration retryAfter) {
		this(resource, key, retryAfter, Decision.Reason.LIMIT);
	}

	/**
	 * Creates an exception. The key stays out of its message, as keys may be personal.
	 * @param resource the throttle's name
	 * @param key the key that was over its limit
	 * @param retryAfter when to try again, or {@code null} if nobody can know
	 * @param reason why, other than {@link Decision.Reason#ADMITTED}
	 */
	public ThrottledException(String resource, String key, @Nullable Duration retryAfter, Decision.Reason reason) {
		super("Throttled by '" + resource + "'" + ((retryAfter != null) ? "; retry after " + retryAfter : "")
				+ explanation(reason));
		this.resource = resource;
		this.key = key;
		this.retryAfter = retryAfter;
		this.reason = reason;
	}

	private static String explanation(Decision.Reason reason) {
		return switch (reason) {
			case NESTED -> ", which the call holds that made this one: it does not nest";
			case NOT_HELD -> ", which the owner does not hold";
			default -> "";
		};
	}

	/**
	 * Returns the name of the throttle.
	 * @return the resource
	 */
	public String resource() {
		return this.resource;
	}

	/**
	 * Returns the key that was over its limit.
	 * @return the key; empty if the throttle has no keys
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the time after which the same call would be admitted if nobody else came.
	 * @return a positive time, or {@code null} if nobody can know
	 */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

	/**
	 * Returns why the call was rejected.
	 * @return the reason; {@link Decision.Reason#LIMIT} for a wait whose time was over
	 */
	public Decision.Reason reason() {
		return this.reason;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
