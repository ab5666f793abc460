package dev.sluice.jdbc.connection;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the database has not answered, or not in time.
 */
public final class StoreUnavailableException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	StoreUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
