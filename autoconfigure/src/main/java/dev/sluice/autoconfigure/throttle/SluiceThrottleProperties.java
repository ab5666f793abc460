package dev.sluice.autoconfigure.throttle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Limits by their names.
 *
 * @since 0.1.0
 */
@ConfigurationProperties(SluiceThrottleProperties.PREFIX)
public class SluiceThrottleProperties extends LinkedHashMap<String, LimitProperties> {

	public static final String PREFIX = "sluice.throttles";

	private static final long serialVersionUID = 1L;

	private static final int TOO_MANY_REQUESTS = 429;

	/** Defines the limits, or changes limits that are already defined. */
	void applyTo(ThrottlingManager manager, ThrottleVariables variables) {
		variables.applyTo(this);
		Map<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		manager.throttles().forEach((throttle) -> names.put(throttle.resource(), throttle.resource()));
		forEach((name, properties) -> {
			variables.check(name);
			checkCase(name, names.putIfAbsent(name, name));
			try {
				Limit limit = properties.toLimit(name);
				define(manager, name, limit, properties.toOptions(name, limit));
			}
			catch (InvalidConfigurationException ex) {
				throw variables.areAlone(name) ? variables.undefined(name, ex) : ex;
			}
		});
	}

	/** A store may not support each option. */
	private static void define(ThrottlingManager manager, String name, Limit limit, LimitOptions options) {
		try {
			manager.addOrUpdate(name, limit, options);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationException(
					"The limit '" + name + "' of '" + PREFIX + '.' + name + "' cannot be defined: " + ex.getMessage(),
					"Correct the properties below '" + PREFIX + '.' + name + "'.", ex);
		}
	}

	/**
	 * Checks that an annotation does not define a limit beside one that it likely means.
	 */
	public void check(String defined) {
		keySet().stream().filter(defined::equalsIgnoreCase).forEach((name) -> checkCase(name, defined));
	}

	private static void checkCase(String name, @Nullable String other) {
		if (other != null && !other.equals(name)) {
			throw new InvalidConfigurationException(
					"Property '" + PREFIX + '.' + name + "' is for another limit than '" + other
							+ "', as names of limits differ in upper and lower case",
					"Write the name in the same way everywhere, or give the limits names that differ in a letter.");
		}
	}

	/** Returns the status of the response to a request that a limit rejects. */
	public int status(String name) {
		LimitProperties properties = get(name);
		Integer status = (properties != null) ? properties.status() : null;
		return (status != null) ? status : TOO_MANY_REQUESTS;
	}

}
