package dev.sluice.autoconfigure.properties;

import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.Errors;

/**
 * Rejects values of properties that are out of range; a value that is not set is valid.
 */
public final class PropertyRules {

	private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

	private static final Pattern ZERO = Pattern.compile("[+-]?0+");

	private final Errors errors;

	PropertyRules(Errors errors) {
		this.errors = errors;
	}

	public void positive(String property, @Nullable Integer value) {
		check(property, value == null || value > 0, "must be greater than 0");
	}

	public void notNegative(String property, @Nullable Integer value) {
		check(property, value == null || value >= 0, "must not be negative");
	}

	public void notNegative(String property, Duration value) {
		check(property, !value.isNegative(), "must not be negative");
	}

	/** For durations in milliseconds. */
	public void positive(String property, @Nullable Duration value) {
		check(property, value == null || value.toMillis() > 0, "must be at least 1ms");
	}

	/** For sizes that fit an {@code int}. */
	public void positive(String property, @Nullable DataSize value) {
		check(property, value == null || value.toBytes() > 0, "must be greater than 0");
		check(property, value == null || value.toBytes() <= Integer.MAX_VALUE, "must be less than 2GB");
	}

	/** For sizes that may exceed an {@code int}. */
	public void positiveTotal(String property, @Nullable DataSize value) {
		check(property, value == null || value.toBytes() > 0, "must be greater than 0");
	}

	public void check(String property, boolean right, String rule) {
		if (!right) {
			this.errors.rejectValue(property, "range",
					"Property '" + name(this.errors.getObjectName(), property) + "' " + rule);
		}
	}

	/** Returns whether a time is a number without a unit, other than zero. */
	public static boolean lacksUnit(String time) {
		return NUMBER.matcher(time.trim()).matches() && !ZERO.matcher(time.trim()).matches();
	}

	/**
	 * Returns the name by which properties are set, such as {@code max-wait} for
	 * {@code maxWait}.
	 */
	static ConfigurationPropertyName name(String prefix, String property) {
		return ConfigurationPropertyName.of(prefix)
			.append(Arrays.stream(property.split("\\."))
				.map(DataObjectPropertyName::toDashedForm)
				.collect(Collectors.joining(".")));
	}

}
