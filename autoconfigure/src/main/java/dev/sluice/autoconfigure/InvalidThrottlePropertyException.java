package dev.sluice.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Tells that a property below {@code sluice.throttles} cannot be followed. */
class InvalidThrottlePropertyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	InvalidThrottlePropertyException(String problem, String action, @Nullable Throwable cause) {
		super(problem, cause);
		this.action = action;
	}

	String getAction() {
		return this.action;
	}

}
