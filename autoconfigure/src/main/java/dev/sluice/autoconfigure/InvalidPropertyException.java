package dev.sluice.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Thrown when a property below {@code sluice} is wrong, with the remedy. */
class InvalidPropertyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	InvalidPropertyException(String problem, String action) {
		this(problem, action, null);
	}

	InvalidPropertyException(String problem, String action, @Nullable Throwable cause) {
		super(problem, cause);
		this.action = action;
	}

	String action() {
		return this.action;
	}

}
