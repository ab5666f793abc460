package dev.sluice.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.sluice.annotation.AnnotatedTypes;
import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each bean costs time at the start: an object that only one bean needs is created by the
 * method of that bean. No bean of Sluice has an annotation whose methods are searched,
 * and properties that no bean needs are not bound.
 */
class BeanCountTests {

	/** A class that stays as it was initialized: not where a part is hidden. */
	@BeforeAll
	static void findWhatLibrariesRegister() {
		ContextRegistry.getInstance();
	}

	@Test
	void thePlainStarterAddsSixtyBeansAtMost() {
		new WebApplicationContextRunner().withUserConfiguration(Application.class)
			.withClassLoader(new FilteredClassLoader("dev.sluice.redis", "dev.sluice.jdbc", "io.lettuce",
					"io.micrometer.context", "com.zaxxer.hikari", "org.eclipse.jetty", "org.springframework.data",
					"org.springframework.jdbc", "org.springframework.security", "org.springframework.web.reactive",
					"reactor"))
			.run((context) -> {
				List<String> ours = ours(context.getBeanFactory()).toList();
				assertThat(ours).contains("sluiceWebSocketDispatcher", "sluiceExecutionMeters", "sluiceSessionCluster",
						"sluiceThrottleGate", "sluiceHealthIndicator", "sluiceHandlingReaders");
				assertThat(ours).hasSizeLessThanOrEqualTo(60);
				assertThat(context.getBeanFactory().getSingletonNames()).contains(bound("execution.SluiceExecution"))
					.doesNotContain(bound("cluster.SluiceCluster"));
				assertThat(ours).noneMatch((name) -> AnnotatedTypes.contain(type(context, name)));
			});
	}

	private static Stream<String> ours(ConfigurableListableBeanFactory beans) {
		return Stream.of(beans.getBeanDefinitionNames())
			.filter((name) -> origin(beans.getBeanDefinition(name)).startsWith("dev.sluice."))
			.filter((name) -> !Application.class.equals(beans.getType(name)));
	}

	private static String bound(String group) {
		return "sluice.%s-dev.sluice.autoconfigure.%sProperties".formatted(group.substring(0, group.indexOf('.')),
				group);
	}

	private static Class<?> type(BeanFactory beans, String name) {
		return ClassUtils.getUserClass(Objects.requireNonNull(beans.getType(name), name));
	}

	/** Returns the class of a bean, or the one that creates it. */
	private static String origin(BeanDefinition bean) {
		MethodMetadata method = (bean instanceof AnnotatedBeanDefinition annotated)
				? annotated.getFactoryMethodMetadata() : null;
		return (method != null) ? method.getDeclaringClassName() : Objects.toString(bean.getBeanClassName(), "");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
