package dev.sluice.autoconfigure.properties.names;

import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration for the checks of all properties below {@code sluice}: their names,
 * the units of times, and the ranges of values; and for the report of annotations that
 * have no effect because a property switches their part off.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class SluicePropertiesAutoConfiguration {

	@Bean
	@ConditionalOnSwitch("sluice.enabled")
	static PropertyChecks sluicePropertyChecks(ConfigurableEnvironment environment) {
		return new PropertyChecks(environment);
	}

	@Bean
	@Conditional(OnAnyOff.class)
	SwitchedOffReport sluiceSwitchedOffReport(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		return new SwitchedOffReport(beanFactory, environment);
	}

	/** Matches if a part is switched off. */
	static class OnAnyOff implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return SwitchedOffReport.anyOff(context.getEnvironment());
		}

	}

}
