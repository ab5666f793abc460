package dev.sluice.autoconfigure;

/** Tells that a property below {@code sluice.throttles} cannot be followed. */
class InvalidThrottlePropertyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	InvalidThrottlePropertyException(String property, String problem, String action, Throwable cause) {
		super("Property '" + property + "' " + problem, cause);
		this.action = action;
	}

	String getAction() {
		return this.action;
	}

}
