package dev.sluice.throttle.internal.failover;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** Thrown when a store is unavailable, or does not answer in time. */
public final class StoreUnavailableException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	public StoreUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

	public StoreUnavailableException(String message) {
		super(message);
	}

}
