package dev.sluice.autoconfigure;

import java.util.List;

import dev.sluice.aop.DispatchedMethods;
import dev.sluice.aop.ThrottleAdvisor;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.ThrottledMethodVerifier;
import dev.sluice.throttle.ThrottlingManager;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Auto-configuration of {@code @Throttled}, {@code @Semaphore} and {@code @Mutex}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ThrottlingAutoConfiguration.class)
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnBooleanProperty(name = "sluice.annotations.enabled", matchIfMissing = true)
@Import(ThrottlingAnnotationsAutoConfiguration.AutoProxyRegistrar.class)
public final class ThrottlingAnnotationsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ThrottleGate throttleGate(ThrottlingManager manager, ConfigurableListableBeanFactory beanFactory) {
		return new ThrottleGate(manager, beanFactory::resolveEmbeddedValue);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ThrottleAdvisor throttleAdvisor(ObjectProvider<ThrottleGate> gate,
			ObjectProvider<DispatchedMethods> dispatched) {
		List<DispatchedMethods> dispatchers = dispatched.stream().toList();
		return new ThrottleAdvisor(gate::getObject, (method, targetClass) -> dispatchers.stream()
			.anyMatch((dispatcher) -> dispatcher.contains(method, targetClass)));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ThrottledMethodVerifier throttledMethodVerifier(ConfigurableListableBeanFactory beanFactory,
			ThrottleGate gate) {
		return new ThrottledMethodVerifier(beanFactory, gate);
	}

	/** Sees to it that advisors are applied at all, with or without AspectJ around. */
	static class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		}

	}

}
