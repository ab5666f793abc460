package dev.sluice.redis.connection;

/** Redis could not be asked, or did not answer in time. */
public final class StoreUnavailableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	StoreUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

	StoreUnavailableException(String message) {
		super(message);
	}

}
