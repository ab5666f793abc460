package dev.sluice.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.context.reactive.StandardReactiveWebEnvironment;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.MethodMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.support.StandardServletEnvironment;
import org.springframework.web.socket.config.annotation.DelegatingWebSocketMessageBrokerConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks the back-off of all beans of all auto-configurations: looks at bean definitions
 * only, as no bean needs to be created for it.
 */
class BackOffTests {

	/** Why nobody replaces these: their types are not public. */
	private static final Map<String, String> INTERNAL = internal();

	private static final String[] PROPERTIES = { "sluice.cluster.stomp.destinations=/topic/**",
			"sluice.journal.enabled=true", "sluice.store.type=redis", "management.endpoints.web.exposure.include=*",
			"management.endpoint.sluice.access=UNRESTRICTED" };

	private static final MetadataReaderFactory METADATA = new CachingMetadataReaderFactory();

	private static final Class<?>[] SORTED = Configurations
		.getClasses(AutoConfigurations.of(autoConfigurations().toArray(Class[]::new)));

	/** Methods whose beans are defined where the application has none of its own. */
	private static final Map<ConfigurableEnvironment, Set<String>> WITHOUT_OTHERS = withoutOthers();

	private static Map<String, String> internal() {
		Map<String, String> reasons = new LinkedHashMap<>();
		reasons.put("sluicePropertyChecks", "a mistake in properties is told whatever the application defines");
		reasons.put("sluiceSwitchedOffReport", "only logs");
		reasons.put("sluiceSessionChecks", "reports paths and limits whatever the application defines");
		reasons.put("sluicePlainRequests", "answers what the application does not");
		reasons.put("sluiceDestinationsReport", "only logs");
		reasons.put("sluiceReactiveBeansCheck", "a property switches it off");
		reasons.put("sluiceTomcatSessionsLifecycle", "closes what the container has, not what the application has");
		reasons.put("sluiceJettySessionsLifecycle", "closes what the container has, not what the application has");
		reasons.put("sluiceStompLimits", "gives way to each limit that the application has set");
		reasons.put("sluiceThrottleSources", "tells the endpoint where our own beans have found a limit");
		reasons.put("sluiceBatchTargets", "finds the listeners of the application");
		reasons.put("sluiceBatches", "has the consumers, which customizers change");
		reasons.put("sluiceThrottledExceptionResolver", "a property switches it off");
		reasons.put("sluiceThrottledExceptionAdvice", "a handler of the application for rejections takes its place");
		reasons.put("sluiceThrottledWebExceptionHandler", "a property switches it off");
		reasons.put("sluiceThrottlingEndpoint", "a property switches it off");
		reasons.put("sluiceUnknownFieldsCheck", "part of the endpoint");
		reasons.put("sluiceThrottlingEndpointWebExtension", "part of the endpoint");
		reasons.put("sluiceWebSocketSessions", "part of the endpoint");
		reasons.put("sluiceEndpointCluster", "part of the endpoint");
		reasons.put("sluiceDashboardEndpoint", "a property switches it off");
		reasons.put("sluiceFrameGuard", "part of the dashboard");
		reasons.put("sluiceCsrfHeaderSource", "part of the dashboard");
		reasons.put("sluiceRedisStoreHealth", "part of the health indicator");
		reasons.put("sluiceJdbcStoreHealth", "part of the health indicator");
		reasons.put("sluiceClusterStart", "asks for the cluster that there is");
		reasons.put("sluiceJournalHealth", "part of the health indicator");
		return reasons;
	}

	/** Reads classes, as those of Jetty are not on the class path of most tests. */
	private static Stream<String> beanNames(Class<?> configuration) {
		try {
			return MetadataReaderFactory.create((ClassLoader) null)
				.getMetadataReader(configuration.getName())
				.getAnnotationMetadata()
				.getAnnotatedMethods(Bean.class.getName())
				.stream()
				.map(MethodMetadata::getMethodName);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Stream<Method> replaceable() {
		return configurations().stream().flatMap((type) -> beanNames(type).map((name) -> {
			boolean left = INTERNAL.containsKey(name)
					|| name.endsWith("VirtualThreads") && Runtime.version().feature() < 21;
			return left ? null : BeanUtils.findDeclaredMethodWithMinimalParameters(type, name);
		})).filter(Objects::nonNull);
	}

	private static Set<Class<?>> configurations() {
		Set<Class<?>> configurations = new LinkedHashSet<>();
		autoConfigurations().forEach((type) -> collect(type, configurations));
		return configurations;
	}

	private static void collect(Class<?> configuration, Set<Class<?>> found) {
		if (found.add(configuration)) {
			Arrays.stream(configuration.getDeclaredClasses()).forEach((nested) -> collect(nested, found));
			Import imported = configuration.getAnnotation(Import.class);
			if (imported != null) {
				Arrays.stream(imported.value()).forEach((type) -> collect(type, found));
			}
		}
	}

	private static List<Class<?>> autoConfigurations() {
		List<Class<?>> found = new ArrayList<>();
		ImportCandidates.load(AutoConfiguration.class, null).forEach((name) -> {
			if (name.startsWith("dev.sluice.")) {
				found.add(ClassUtils.resolveClassName(name, null));
			}
		});
		return found;
	}

	@ParameterizedTest
	@MethodSource("replaceable")
	void aBeanBacksOff(Method method) {
		ConditionalOnMissingBean condition = AnnotatedElementUtils.findMergedAnnotation(method,
				ConditionalOnMissingBean.class);
		assertThat(condition).as("a new bean backs off, or is listed with a reason").isNotNull();
		Class<?> type = (condition.value().length > 0) ? condition.value()[0] : method.getReturnType();
		String name = (condition.name().length > 0) ? condition.name()[0] : "ofTheApplication";
		ConfigurableEnvironment environment = WITHOUT_OTHERS.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().contains(method.getName()))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElseThrow();
		assertThat(beanMethods(environment, name, type)).doesNotContain(method.getName());
	}

	@Test
	void onlyBeansThatThereAreAreListed() {
		assertThat(configurations().stream().flatMap(BackOffTests::beanNames)).containsAll(INTERNAL.keySet());
	}

	@Test
	void allAutoConfigurationsAreNamedByOneScheme() {
		assertThat(autoConfigurations()).extracting(Class::getSimpleName)
			.allSatisfy((name) -> assertThat(name).startsWith("Sluice").endsWith("AutoConfiguration"));
	}

	private static Stream<ConfigurableEnvironment> environments() {
		return Stream.of(environment(new StandardServletEnvironment()),
				environment(new StandardServletEnvironment(), "spring.threads.virtual.enabled=true"),
				environment(new StandardServletEnvironment(), "sluice.websocket.handlers.enabled=false"),
				environment(new StandardServletEnvironment(), "sluice.cluster.type=redis"),
				environment(new StandardServletEnvironment(), "sluice.store.type=jdbc"),
				environment(new StandardReactiveWebEnvironment()));
	}

	private static ConfigurableEnvironment environment(ConfigurableEnvironment environment, String... properties) {
		TestPropertyValues.of(PROPERTIES).and(properties).applyTo(environment);
		return environment;
	}

	private static Map<ConfigurableEnvironment, Set<String>> withoutOthers() {
		Map<ConfigurableEnvironment, Set<String>> defined = new LinkedHashMap<>();
		environments().forEach((environment) -> defined.put(environment, beanMethods(environment, null, Object.class)));
		return defined;
	}

	/** Returns the methods whose beans are defined beside one of the application. */
	private static Set<String> beanMethods(ConfigurableEnvironment environment, @Nullable String name, Class<?> type) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		Stream
			.of(MeterRegistry.class, ObservationRegistry.class, LettuceConnectionFactory.class,
					DelegatingWebSocketMessageBrokerConfiguration.class)
			.forEach((found) -> beans.registerBeanDefinition(found.getName(), new RootBeanDefinition(found)));
		if (name != null) {
			beans.registerBeanDefinition(name, new RootBeanDefinition(type));
		}
		AnnotatedBeanDefinitionReader reader = new AnnotatedBeanDefinitionReader(beans, environment);
		reader.register(SORTED);
		ConfigurationClassPostProcessor processor = new ConfigurationClassPostProcessor();
		processor.setEnvironment(environment);
		processor.setMetadataReaderFactory(METADATA);
		processor.postProcessBeanDefinitionRegistry(beans);
		return Arrays.stream(beans.getBeanDefinitionNames())
			.map(beans::getBeanDefinition)
			.map(BeanDefinition::getFactoryMethodName)
			.filter(Objects::nonNull)
			.collect(Collectors.toSet());
	}

}
