package dev.sluice.autoconfigure;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The environment variables that are about limits. A variable cannot say every name, so
 * one that is about a limit of which nothing else tells is likely to mean another.
 */
final class ThrottleVariables {

	private static final ConfigurationPropertyName THROTTLES = ConfigurationPropertyName.of(ThrottlesProperties.PREFIX);

	private static final String PREFIX = "SLUICE_THROTTLES_";

	private final List<String> variables;

	private final Set<String> named;

	/**
	 * Reads the variables.
	 * @param environment where they are
	 * @param defined names of the limits that code defines
	 */
	ThrottleVariables(ConfigurableEnvironment environment, Collection<String> defined) {
		this.variables = environment.getPropertySources()
			.stream()
			.filter(SystemEnvironmentPropertySource.class::isInstance)
			.flatMap((source) -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
			.filter((name) -> name.toUpperCase(Locale.ROOT).startsWith(PREFIX))
			.distinct()
			.sorted()
			.toList();
		this.named = new TreeSet<>(defined);
		ConfigurationPropertySources.from(environment.getPropertySources()).forEach((source) -> {
			if (!(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)
					&& source instanceof IterableConfigurationPropertySource properties) {
				properties.stream()
					.filter(THROTTLES::isAncestorOf)
					.forEach((name) -> this.named.add(name.getElement(THROTTLES.getNumberOfElements(), Form.ORIGINAL)));
			}
		});
	}

	/** Tells whether a limit is known from variables only. */
	boolean areAlone(String throttle) {
		return !this.named.contains(throttle) && !of(throttle).isEmpty();
	}

	/**
	 * Refuses a limit that is known from variables only and differs from another in what
	 * variables cannot say: it would be a limit beside that one.
	 * @throws InvalidPropertyException if it is so
	 */
	void check(String throttle) {
		if (areAlone(throttle) && this.named.stream().anyMatch((name) -> letters(name).equals(throttle))) {
			throw undefined(throttle, null);
		}
	}

	/**
	 * Explains a limit that is known from variables only.
	 * @param throttle its name
	 * @param problem what is wrong with it beside that, if anything
	 */
	InvalidPropertyException undefined(String throttle, @Nullable InvalidPropertyException problem) {
		String nearest = NearestName.of(throttle, this.named, ThrottleVariables::letters)
			.map((name) -> "Did you mean '" + name + "'? ")
			.orElse("");
		return new InvalidPropertyException(
				"Environment variable '" + String.join("', '", of(throttle)) + "' is for the limit '" + throttle
						+ "', which is not defined" + ((problem != null) ? ": " + problem.getMessage() : ""),
				nearest + "Correct the variable, or define the limit. Limits whose names have hyphens or other signs"
						+ " cannot be changed by variables.",
				problem);
	}

	private List<String> of(String throttle) {
		String prefix = PREFIX + throttle.toUpperCase(Locale.ROOT) + '_';
		return this.variables.stream()
			.filter((variable) -> variable.toUpperCase(Locale.ROOT).startsWith(prefix))
			.toList();
	}

	/** What a variable could say of a name. */
	private static String letters(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
	}

}
