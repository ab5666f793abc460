package dev.sluice.throttle;

import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call is rejected by a limit. Has no stack trace, as rejections are
 * frequent and must be cheap, and are no errors of the calling code.
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
	 * Creates an exception. The message does not contain the key, as keys may be personal
	 * data.
	 * @param resource the throttle's name
	 * @param key the key that exceeded its limit
	 * @param retryAfter the time after which to retry, or {@code null} if it is unknown
	 */
	public ThrottledException(String resource, String key, @Nullable Duration retryAfter) {
		this(resource, key, retryAfter, Decision.Reason.LIMIT);
	}

	/**
	 * Creates an exception. The message does not contain the key, as keys may be personal
	 * data.
	 * @param resource the throttle's name
	 * @param key the key that exceeded its limit
	 * @param retryAfter the time after which to retry, or {@code null} if it is unknown
	 * @param reason the reason, other than {@link Decision.Reason#ADMITTED}
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
			case STORE -> ", as the store of the limit is unavailable";
			case KEY_CAP -> ", as the limit has its maximum number of keys";
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
	 * Returns the key that exceeded its limit.
	 * @return the key; empty for an unpartitioned throttle
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the time after which the same call would be admitted if no other call
	 * arrived.
	 * @return a positive time, or {@code null} if it is unknown
	 */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

	/**
	 * Returns the reason of the rejection.
	 * @return the reason; {@link Decision.Reason#LIMIT} if the maximum wait has passed
	 */
	public Decision.Reason reason() {
		return this.reason;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
