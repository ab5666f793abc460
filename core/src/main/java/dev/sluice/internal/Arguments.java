package dev.sluice.internal;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** Checks of arguments, which they return. */
public final class Arguments {

	private Arguments() {
	}

	public static <T> T notNull(String name, @Nullable T value) {
		if (value == null) {
			throw new IllegalArgumentException("'" + name + "' must not be null");
		}
		return value;
	}

	public static int positive(String name, int value) {
		check(value > 0, name, "must be greater than 0", value);
		return value;
	}

	public static Duration positive(String name, Duration value) {
		notNull(name, value);
		check(!value.isNegative() && !value.isZero(), name, "must be greater than zero", value);
		return value;
	}

	public static int atMost(int max, String remedy, String name, int value) {
		check(value <= max, name, "must not be greater than " + max + ", " + remedy, value);
		return positive(name, value);
	}

	public static int notNegative(String name, int value) {
		check(value >= 0, name, "must not be negative", value);
		return value;
	}

	public static Duration notNegative(String name, Duration value) {
		notNull(name, value);
		check(!value.isNegative(), name, "must not be negative", value);
		return value;
	}

	private static void check(boolean right, String name, String rule, Object value) {
		if (!right) {
			throw new IllegalArgumentException("'" + name + "' " + rule + ": " + value);
		}
	}

}
