package dev.sluice.autoconfigure.properties.names;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRangeCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Runs the checks of properties: of their names, units and effect before any bean is
 * created, and of their ranges when they are bound. A group of which no property is set
 * has nothing to check, and is not bound before a bean needs it.
 *
 * @param environment has the properties
 */
record PropertyChecks(ConfigurableEnvironment environment)
		implements
			BeanFactoryPostProcessor,
			ConfigurationPropertiesBindHandlerAdvisor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		new PropertyCheck(this.environment).check();
		new UnusedPropertiesCheck(this.environment).check(beanFactory);
		// what is generated ahead of time does not know what is set at run time
		if (!Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
			for (String name : beanFactory.getBeanNamesForType(CheckedProperties.class, true, false)) {
				if (beanFactory.containsBeanDefinition(name) && isUnset(beanFactory.getType(name, false))) {
					beanFactory.getBeanDefinition(name).setLazyInit(true);
				}
			}
		}
	}

	private boolean isUnset(@Nullable Class<?> group) {
		ConfigurationProperties properties = (group != null)
				? AnnotatedElementUtils.getMergedAnnotation(group, ConfigurationProperties.class) : null;
		return properties != null && isAbsent(ConfigurationPropertyName.of(properties.prefix()));
	}

	private boolean isAbsent(ConfigurationPropertyName prefix) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source.containsDescendantOf(prefix) != ConfigurationPropertyState.ABSENT) {
				return false;
			}
		}
		return true;
	}

	@Override
	public BindHandler apply(BindHandler bindHandler) {
		return PropertyRangeCheck.of(bindHandler);
	}

}
