package dev.sluice.autoconfigure.properties;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a property or a declaration of the application is invalid. The exception
 * contains the remedy.
 */
public class InvalidConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	public InvalidConfigurationException(String problem, String action) {
		this(problem, action, null);
	}

	public InvalidConfigurationException(String problem, String action, @Nullable Throwable cause) {
		super(problem, cause);
		this.action = action;
	}

	public String action() {
		return this.action;
	}

}
