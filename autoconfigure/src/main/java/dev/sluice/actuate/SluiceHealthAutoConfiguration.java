package dev.sluice.actuate;

import dev.sluice.autoconfigure.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.SequentialLeveledTaskExecutor;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health indicator {@code sluice}, where there are queues.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBooleanProperty(name = "sluice.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("sluice")
@ConditionalOnBean(SequentialLeveledTaskExecutor.class)
@EnableConfigurationProperties(SluiceHealthProperties.class)
public final class SluiceHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "sluiceHealthIndicator")
	SluiceHealthIndicator sluiceHealthIndicator(ListableBeanFactory beans, SluiceHealthProperties properties) {
		return new SluiceHealthIndicator(beans.getBeansOfType(SequentialLeveledTaskExecutor.class),
				properties.getMaxWait());
	}

}
