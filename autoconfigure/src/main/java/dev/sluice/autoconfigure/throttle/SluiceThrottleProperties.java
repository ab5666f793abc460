package dev.sluice.autoconfigure.throttle;

import java.util.LinkedHashMap;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;

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
		forEach((name, properties) -> {
			variables.check(name);
			try {
				Limit limit = properties.toLimit(name);
				manager.addOrUpdate(name, limit, properties.toOptions(name, limit));
			}
			catch (InvalidConfigurationException ex) {
				throw variables.areAlone(name) ? variables.undefined(name, ex) : ex;
			}
		});
	}

	/** Returns the status of the response to a request that a limit rejects. */
	public int status(String name) {
		LimitProperties properties = get(name);
		Integer status = (properties != null) ? properties.status() : null;
		return (status != null) ? status : TOO_MANY_REQUESTS;
	}

}
