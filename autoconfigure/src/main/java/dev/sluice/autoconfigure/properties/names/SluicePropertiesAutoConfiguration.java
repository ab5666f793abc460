package dev.sluice.autoconfigure.properties.names;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.properties.PropertyRangeCheck;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Auto-configuration for the checks of all properties below {@code sluice}: their names,
 * the units of times, and the ranges of values.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnSwitch("sluice.enabled")
public final class SluicePropertiesAutoConfiguration {

	@Bean
	static PropertyCheck sluicePropertyCheck(ConfigurableEnvironment environment) {
		return new PropertyCheck(environment);
	}

	@Bean
	static UnusedPropertiesCheck sluiceUnusedPropertiesCheck(ConfigurableEnvironment environment) {
		return new UnusedPropertiesCheck(environment);
	}

	@Bean
	PropertyRangeCheck sluicePropertyRangeCheck() {
		return new PropertyRangeCheck();
	}

}
