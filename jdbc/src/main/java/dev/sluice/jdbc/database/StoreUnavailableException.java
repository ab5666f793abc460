package dev.sluice.jdbc.database;

/** Thrown when the database cannot be asked, or does not answer in time. */
public final class StoreUnavailableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	StoreUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

	StoreUnavailableException(String message) {
		super(message);
	}

}
