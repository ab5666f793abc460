package dev.sluice.autoconfigure.throttle;

import java.util.LinkedHashMap;
import java.util.function.Consumer;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.throttle.InvalidLimitOptionException;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

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

	/** Defines the limits, or changes those that are defined already. */
	void applyTo(ThrottlingManager manager, ThrottleVariables variables) {
		variables.applyTo(this);
		forEach((name, properties) -> {
			variables.check(name);
			try {
				Limit limit = limit(name, properties);
				manager.addOrUpdate(name, limit, options(name, properties, limit));
			}
			catch (InvalidConfigurationException ex) {
				throw variables.areAlone(name) ? variables.undefined(name, ex) : ex;
			}
		});
	}

	/** Returns the status of the response to a request that a limit rejects. */
	public int status(String name) {
		LimitProperties properties = get(name);
		Integer status = (properties != null) ? properties.getStatus() : null;
		return (status != null) ? status : TOO_MANY_REQUESTS;
	}

	private static Limit limit(String name, LimitProperties properties) {
		try {
			return properties.definition().toLimit();
		}
		catch (InvalidLimitOptionException ex) {
			throw invalid(name, ex.option(), ex.problem(), ex);
		}
	}

	private static LimitOptions options(String name, LimitProperties properties, Limit limit) {
		LimitOptions.Builder options = LimitOptions.builder()
			.dryRun(properties.isDryRun())
			.atMaxKeys(properties.getAtMaxKeys());
		set(name, "max-waiting", properties.getMaxWaiting(), options::maxWaiting);
		set(name, "max-keys", properties.getMaxKeys(), options::maxKeys);
		set(name, "failure-policy", properties.getFailurePolicy(), options::failurePolicy);
		if (properties.getLease() != null && !limit.isHeld()) {
			throw invalid(name, "lease", "is no option of type " + limit.type(), null);
		}
		set(name, "lease", properties.getLease(), options::lease);
		if (properties.getBatch() != null && limit.isHeld()) {
			throw invalid(name, "batch", "is no option of type " + limit.type(), null);
		}
		set(name, "batch", properties.getBatch(), options::batch);
		Integer status = properties.getStatus();
		if (status != null && (status < 400 || status > 599)) {
			throw invalid(name, "status", "must be a status of errors, from 400 to 599: " + status, null);
		}
		return options.build();
	}

	private static <T> void set(String name, String option, @Nullable T value, Consumer<T> setter) {
		try {
			if (value != null) {
				setter.accept(value);
			}
		}
		catch (IllegalArgumentException ex) {
			throw invalid(name, option, "is out of range: " + value, ex);
		}
	}

	private static InvalidConfigurationException invalid(String name, String option, String problem,
			@Nullable IllegalArgumentException cause) {
		String prefix = PREFIX + '.' + (name.matches("[a-z0-9-]+") ? name : '[' + name + ']') + '.';
		String property = prefix + DataObjectPropertyName.toDashedForm(option);
		return new InvalidConfigurationException("Property '" + property + "' " + problem,
				"Set '" + property + "' to a value that fits, or remove it, or change '" + prefix + "type'.", cause);
	}

}
