package dev.sluice.autoconfigure.batch;

import java.lang.reflect.Method;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.annotation.AnnotatedTypes;
import dev.sluice.annotation.BatchListener;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchPump;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the targets of batches and registers a {@link BatchConsumer} for each, before any
 * bean is created, because other beans have consumers injected. Only types are inspected.
 * If the application starts from code that was generated ahead of time, the targets are
 * found again.
 */
final class BatchTargets implements BeanDefinitionRegistryPostProcessor {

	/** Prefix of the bean names of consumers, followed by the name of the batch. */
	static final String BEAN_PREFIX = "sluiceBatchConsumer.";

	/** Name of the journal of sent messages in meters. */
	private static final String JOURNAL = "journal";

	private final Map<String, BatchTarget> targets = new LinkedHashMap<>();

	/** Returns the targets found. */
	Collection<BatchTarget> all() {
		return this.targets.values();
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (registry instanceof ConfigurableListableBeanFactory beans) {
			find(beans);
			this.targets.values().forEach((target) -> register(target, beans, registry));
		}
	}

	private void find(ConfigurableListableBeanFactory beans) {
		for (String beanName : beans.getBeanNamesForType(Object.class, true, false)) {
			Class<?> found = beans.getType(beanName, false);
			if (found == null || ScopedProxyUtils.isScopedTarget(beanName)) {
				continue;
			}
			Class<?> type = ClassUtils.getUserClass(found);
			if (BatchPump.class.isAssignableFrom(type)) {
				add(new BatchPumpBean(beanName, itemType(beans, beanName)));
			}
			if (AnnotatedTypes.contain(type)) {
				methods(type).forEach((method,
						annotation) -> add(new BatchListenerMethod(annotation.value(), beanName, type, method)));
			}
		}
	}

	private static ResolvableType itemType(ConfigurableListableBeanFactory beans, String beanName) {
		return beans.containsBeanDefinition(beanName)
				? beans.getMergedBeanDefinition(beanName).getResolvableType().as(BatchPump.class).getGeneric()
				: ResolvableType.NONE;
	}

	private static Map<Method, BatchListener> methods(Class<?> type) {
		return MethodIntrospector.selectMethods(type, (MetadataLookup<BatchListener>) (method) -> AnnotatedElementUtils
			.findMergedAnnotation(method, BatchListener.class));
	}

	private void add(BatchTarget target) {
		if (target.batch().equals(JOURNAL)) {
			throw new InvalidConfigurationException(
					target.place() + " listens to the batch '" + JOURNAL
							+ "', whose name the meters of the journal of sent messages use",
					"Give the batch another name.");
		}
		BatchTarget other = this.targets.putIfAbsent(target.batch(), target);
		if (other != null) {
			throw new InvalidConfigurationException(
					"Batch '" + target.batch() + "' has two listeners: " + other.place() + ", and " + target.place(),
					"Give one of the two another name, or have one call the other.");
		}
	}

	private static void register(BatchTarget target, ConfigurableListableBeanFactory beans,
			BeanDefinitionRegistry registry) {
		RootBeanDefinition consumer = new RootBeanDefinition(BatchConsumer.class,
				() -> beans.getBean(Batches.class).consumer(target.batch()));
		consumer.setTargetType(consumerOf(target.itemType()));
		consumer.addQualifier(new AutowireCandidateQualifier(Qualifier.class, target.batch()));
		consumer.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
		registry.registerBeanDefinition(BEAN_PREFIX + target.batch(), consumer);
	}

	private static ResolvableType consumerOf(ResolvableType itemType) {
		Class<?> type = itemType.resolve();
		if (type == null) {
			return ResolvableType.forClass(BatchConsumer.class);
		}
		return ResolvableType.forClassWithGenerics(BatchConsumer.class,
				(itemType.getType() instanceof WildcardType) ? ResolvableType.forClass(type) : itemType);
	}

}
