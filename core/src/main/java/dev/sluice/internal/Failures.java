package dev.sluice.internal;

import java.util.concurrent.CompletionException;

/** Failures of futures. */
public final class Failures {

	private Failures() {
	}

	/**
	 * Returns what a future has failed with, as its dependents hear of it wrapped.
	 * @param failure what a dependent was told
	 * @return the failure itself
	 */
	public static Throwable cause(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
		return (cause != null) ? cause : failure;
	}

}
