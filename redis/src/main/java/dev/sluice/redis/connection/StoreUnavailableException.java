package dev.sluice.redis.connection;

/** Thrown when Redis cannot be asked, or does not answer in time. */
public final class StoreUnavailableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	StoreUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

	StoreUnavailableException(String message) {
		super(message);
	}

}
