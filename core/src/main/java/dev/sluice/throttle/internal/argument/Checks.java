package dev.sluice.throttle.internal.argument;

import java.time.Duration;

/** Argument checks with messages of one form: name, rule, value. */
public final class Checks {

	public static final int MAX_RESOURCE_LENGTH = 100;

	private Checks() {
	}

	public static void resource(String resource) {
		notNull("resource", resource);
		if (resource.isEmpty()) {
			throw new IllegalArgumentException("'resource' must not be empty");
		}
		if (resource.length() > MAX_RESOURCE_LENGTH) {
			throw new IllegalArgumentException("'resource' must have at most " + MAX_RESOURCE_LENGTH
					+ " characters, not " + resource.length() + ": '" + resource + "'");
		}
	}

	public static void permits(int permits) {
		if (permits <= 0) {
			throw new IllegalArgumentException("'permits' must be greater than 0: " + permits);
		}
	}

	public static void permits(String resource, int permits, int max) {
		permits(permits);
		if (permits > max) {
			throw new IllegalArgumentException("'permits' must be at most " + max + ", the most that '" + resource
					+ "' grants a call: " + permits);
		}
	}

	public static UnsupportedOperationException held(String resource, String type) {
		return new UnsupportedOperationException(
				"'" + resource + "' is a " + type + ": its permits are held, and need tryAcquire or acquire");
	}

	public static void notNegative(String name, int value) {
		if (value < 0) {
			throw new IllegalArgumentException("'" + name + "' must not be negative: " + value);
		}
	}

	public static void notNegative(String name, Duration value) {
		notNull(name, value);
		if (value.isNegative()) {
			throw new IllegalArgumentException("'" + name + "' must not be negative: " + value);
		}
	}

	public static <T> T notNull(String name, T value) {
		if (value == null) {
			throw new IllegalArgumentException("'" + name + "' must not be null");
		}
		return value;
	}

}
