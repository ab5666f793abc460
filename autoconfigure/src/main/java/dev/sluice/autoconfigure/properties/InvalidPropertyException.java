package dev.sluice.autoconfigure.properties;

import org.jspecify.annotations.Nullable;

/** Thrown when a property below {@code sluice} is wrong, with the remedy. */
public class InvalidPropertyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	public InvalidPropertyException(String problem, String action) {
		this(problem, action, null);
	}

	public InvalidPropertyException(String problem, String action, @Nullable Throwable cause) {
		super(problem, cause);
		this.action = action;
	}

	public String action() {
		return this.action;
	}

}
