package dev.sluice.autoconfigure.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.properties.NamedProperties;
import dev.sluice.autoconfigure.properties.NearestName;
import dev.sluice.autoconfigure.properties.PropertyRules;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Environment variables that configure limits. A variable cannot express every name,
 * because an underscore stands for any character that is no letter or digit. If only
 * variables mention a limit, they are likely to mean another one.
 */
final class ThrottleVariables {

	private static final ConfigurationPropertyName THROTTLES = ConfigurationPropertyName
		.of(SluiceThrottleProperties.PREFIX);

	private static final String PREFIX = "SLUICE_THROTTLES_";

	private final ConfigurableEnvironment environment;

	private final Map<String, Class<?>> options;

	private final List<String> variables;

	private final Set<String> named;

	/**
	 * Reads the variables. Without variables, no names are compared.
	 * @param environment where they are
	 * @param defined names of the limits that code defines
	 */
	ThrottleVariables(ConfigurableEnvironment environment, Collection<String> defined) {
		this.environment = environment;
		this.variables = environment.getPropertySources()
			.stream()
			.filter(SystemEnvironmentPropertySource.class::isInstance)
			.flatMap((source) -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
			.filter((name) -> name.toUpperCase(Locale.ROOT).startsWith(PREFIX))
			.distinct()
			.sorted()
			.toList();
		this.options = this.variables.isEmpty() ? Map.of()
				: NamedProperties.of("limit", SluiceThrottleProperties.PREFIX, LimitProperties.class).options();
		this.named = this.variables.isEmpty() ? Set.of() : named(environment, defined);
	}

	private static Set<String> named(ConfigurableEnvironment environment, Collection<String> defined) {
		Set<String> named = new TreeSet<>(defined);
		ConfigurationPropertySources.from(environment.getPropertySources()).forEach((source) -> {
			if (!(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)
					&& source instanceof IterableConfigurationPropertySource properties) {
				properties.stream()
					.filter(THROTTLES::isAncestorOf)
					.forEach((name) -> named.add(name.getElement(THROTTLES.getNumberOfElements(), Form.ORIGINAL)));
			}
		});
		return named;
	}

	/**
	 * Sets the options of limits whose names a variable cannot express. The options of
	 * other limits are bound as any property.
	 * @throws InvalidConfigurationException if a variable matches no limit, or several
	 */
	void applyTo(Map<String, LimitProperties> limits) {
		Map<String, Map<String, String>> settings = new TreeMap<>();
		for (String variable : this.variables) {
			List<Setting> meant = this.named.stream().flatMap((name) -> settings(variable, name)).toList();
			if (meant.size() > 1) {
				throw new InvalidConfigurationException(
						"Environment variable '" + variable + "' may be for " + meant.stream()
							.map((setting) -> "'" + setting.option() + "' of the limit '" + setting.throttle() + "'")
							.collect(Collectors.joining(" or ")),
						"Set the property in a file, as in 'sluice.throttles.[" + meant.get(0).throttle() + "]."
								+ meant.get(0).option() + "', and remove the variable.");
			}
			if (meant.isEmpty()) {
				checkDefined(variable);
			}
			else if (form(meant.get(0).throttle()).contains("_")) {
				read(variable, meant.get(0), settings);
			}
		}
		settings.forEach((name, options) -> limits.put(name, bind(name, options)));
	}

	/**
	 * Without this check, a variable that Boot cannot bind either would be ignored
	 * silently.
	 */
	private void checkDefined(String variable) {
		this.options.keySet()
			.stream()
			.flatMap((option) -> forms(option).map((form) -> throttle(variable, form)))
			.filter((throttle) -> !throttle.isEmpty())
			.min(Comparator.comparingInt(String::length))
			.filter((throttle) -> throttle.contains("-"))
			.ifPresent((throttle) -> {
				throw undefined(throttle, null);
			});
	}

	private static String throttle(String variable, String option) {
		String name = variable.substring(PREFIX.length()).toUpperCase(Locale.ROOT);
		return name.endsWith('_' + option)
				? name.substring(0, name.length() - option.length() - 1).replace('_', '-').toLowerCase(Locale.ROOT)
				: "";
	}

	private Stream<Setting> settings(String variable, String throttle) {
		return this.options.keySet()
			.stream()
			.filter((option) -> forms(option)
				.anyMatch((form) -> variable.equalsIgnoreCase(PREFIX + form(throttle) + '_' + form)))
			.map((option) -> new Setting(throttle, option));
	}

	private void read(String variable, Setting setting, Map<String, Map<String, String>> settings) {
		ConfigurationPropertyName property = property(setting.throttle()).append(setting.option());
		String value = this.environment.getProperty(variable, "");
		if (isSetBefore(property)) {
			return;
		}
		if (this.options.get(setting.option()) == Duration.class && PropertyRules.lacksUnit(value)) {
			throw new InvalidConfigurationException("Environment variable '" + variable + "' has no unit: " + value,
					"Add one, such as " + value + "s or " + value + "ms.");
		}
		settings.computeIfAbsent(setting.throttle(), (added) -> new TreeMap<>()).put(property.toString(), value);
	}

	private static ConfigurationPropertyName property(String throttle) {
		return THROTTLES.append(ConfigurationPropertyName.isValid(throttle) && !throttle.contains(".") ? throttle
				: '[' + throttle + ']');
	}

	/** Binds a limit to its variables and to the other property sources. */
	private LimitProperties bind(String throttle, Map<String, String> options) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		sources.add(new MapConfigurationPropertySource(options));
		ConfigurationPropertySources.get(this.environment).forEach(sources::add);
		return new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment))
			.bindOrCreate(property(throttle).toString(), LimitProperties.class);
	}

	/**
	 * Returns whether a property source before the variables, such as an argument, sets a
	 * property.
	 */
	private boolean isSetBefore(ConfigurationPropertyName property) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources
			.from(this.environment.getPropertySources())) {
			if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
				return false;
			}
			if (source.getConfigurationProperty(property) != null) {
				return true;
			}
		}
		return false;
	}

	/** Returns whether only variables mention a limit. */
	boolean areAlone(String throttle) {
		return !this.named.contains(throttle) && !of(throttle).isEmpty();
	}

	/**
	 * Rejects a limit that only variables mention and whose name differs from that of
	 * another limit only in characters that a variable cannot express. It would be a
	 * second limit next to the intended one.
	 * @throws InvalidConfigurationException if it is so
	 */
	void check(String throttle) {
		if (areAlone(throttle) && this.named.stream().anyMatch((name) -> letters(name).equals(throttle))) {
			throw undefined(throttle, null);
		}
	}

	/**
	 * Explains a limit that only variables mention.
	 * @param throttle its name
	 * @param problem another problem with the limit, if any
	 */
	InvalidConfigurationException undefined(String throttle, @Nullable InvalidConfigurationException problem) {
		String nearest = NearestName.of(throttle, this.named, ThrottleVariables::letters)
			.map((name) -> "Did you mean '" + name + "'? ")
			.orElse("");
		return new InvalidConfigurationException(
				"Environment variable '" + String.join("', '", of(throttle)) + "' is for the limit '" + throttle
						+ "', which is not defined" + ((problem != null) ? ": " + problem.getMessage() : ""),
				nearest + "Correct the variable, or define the limit. In a variable, '_' stands for each sign of a name"
						+ " that is no letter or digit.",
				problem);
	}

	private List<String> of(String throttle) {
		String prefix = PREFIX + form(throttle) + '_';
		return this.variables.stream()
			.filter((variable) -> variable.toUpperCase(Locale.ROOT).startsWith(prefix))
			.toList();
	}

	/** A name in the form of variables. */
	private static String form(String name) {
		return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
	}

	/** The forms of an option in variables. */
	private static Stream<String> forms(String option) {
		return Stream.of(form(option), form(option).replace("_", "")).distinct();
	}

	/** The letters and digits of a name. */
	private static String letters(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
	}

	/**
	 * Option of a limit that a variable sets.
	 *
	 * @param throttle name of the limit
	 * @param option name of the option
	 */
	private record Setting(String throttle, String option) {
	}

}
