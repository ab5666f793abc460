package dev.sluice.internal;

import java.util.concurrent.CompletionException;

/** Failures of futures. */
public final class Failures {

	private Failures() {
	}

	/**
	 * Returns the failure of a future without the wrapper that its dependents receive.
	 * @param failure the failure as a dependent receives it
	 * @return the original failure
	 */
	public static Throwable cause(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
		return (cause != null) ? cause : failure;
	}

}
