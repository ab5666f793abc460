package dev.sluice.autoconfigure;

import dev.sluice.throttle.ThrottlingManager;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the limits: {@code sluice.throttles.*} and
 * {@link ThrottlingManagerCustomizer} beans. An application that has a
 * {@link ThrottlingManager} bean of its own defines its limits there.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "sluice.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ThrottlesProperties.class)
public final class ThrottlingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ThrottlingManager throttlingManager(ThrottlesProperties properties,
			ObjectProvider<ThrottlingManagerCustomizer> customizers) {
		ThrottlingManager manager = ThrottlingManager.builder().build();
		customizers.orderedStream().forEach((customizer) -> customizer.customize(manager));
		properties.applyTo(manager);
		return manager;
	}

}
