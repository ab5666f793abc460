package dev.sluice.autoconfigure.properties.names;

import dev.sluice.autoconfigure.properties.PropertyRangeCheck;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Runs the checks of properties: of their names, units and effect before any bean is
 * created, and of their ranges when they are bound.
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
	}

	@Override
	public BindHandler apply(BindHandler bindHandler) {
		return PropertyRangeCheck.of(bindHandler);
	}

}
