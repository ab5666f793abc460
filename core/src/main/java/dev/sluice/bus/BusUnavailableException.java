package dev.sluice.bus;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a bus is unavailable or has not responded in time.
 *
 * @since 0.1.0
 */
public class BusUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean undecided;

	/**
	 * Creates the exception.
	 * @param message the detail message
	 * @param undecided whether the operation may have taken effect
	 * @param cause the cause, or {@code null} if it is unknown
	 */
	public BusUnavailableException(String message, boolean undecided, @Nullable Throwable cause) {
		super(message, cause);
		this.undecided = undecided;
	}

	/**
	 * Returns whether the operation may have taken effect.
	 * @return {@code false} if the operation certainly had no effect
	 */
	public boolean isUndecided() {
		return this.undecided;
	}

}
