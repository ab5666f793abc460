package dev.sluice.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a bus cannot be asked, or has not answered in time.
 *
 * @since 0.1.0
 */
public class BusUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean undecided;

	/**
	 * Creates the exception.
	 * @param message what was not done
	 * @param undecided whether it may have been done nevertheless
	 * @param cause why, if that is known
	 */
	public BusUnavailableException(String message, boolean undecided, @Nullable Throwable cause) {
		super(message, cause);
		this.undecided = undecided;
	}

	/**
	 * Returns whether what was asked for may have been done.
	 * @return {@code false} if it is certain that nothing was done
	 */
	public boolean isUndecided() {
		return this.undecided;
	}

}
