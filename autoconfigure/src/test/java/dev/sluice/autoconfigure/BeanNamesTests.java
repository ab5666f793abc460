package dev.sluice.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.SluiceOutbound;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * The beans of an application and those of the starter side by side.
 */
@Tag("sockets")
class BeanNamesTests {

	/** Of these types Spring and Boot take all that there are, and nobody injects one. */
	private static final Set<String> TAKEN_TOGETHER = Set.of("io.micrometer.core.instrument.binder.MeterBinder",
			"java.io.Serializable", "java.lang.AutoCloseable", "java.lang.Cloneable", "java.util.AbstractMap",
			"java.util.HashMap", "java.util.LinkedHashMap", "java.util.Map", "java.util.SequencedMap",
			"org.springframework.aop.PointcutAdvisor", "org.springframework.aop.framework.AopInfrastructureBean",
			"org.springframework.aop.framework.ProxyConfig",
			"org.springframework.aop.support.AbstractGenericPointcutAdvisor",
			"org.springframework.aop.support.AbstractPointcutAdvisor",
			"org.springframework.aop.support.DefaultPointcutAdvisor",
			"org.springframework.beans.factory.SmartInitializingSingleton",
			"org.springframework.beans.factory.config.BeanFactoryPostProcessor",
			"org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor",
			"org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor",
			"org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor",
			"org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor",
			"org.springframework.boot.health.contributor.AbstractHealthIndicator",
			"org.springframework.boot.health.contributor.HealthIndicator",
			"org.springframework.boot.web.server.WebServerFactoryCustomizer",
			"org.springframework.context.SmartLifecycle", "org.springframework.core.Ordered",
			"org.springframework.web.servlet.config.annotation.WebMvcConfigurer",
			"org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer",
			"org.springframework.web.socket.handler.WebSocketHandlerDecoratorFactory");

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoint.sluice.access=READ_ONLY", "sluice.journal.enabled=true");

	@Test
	void everyBeanOfOursHasANameThatNobodyElseWouldChoose() {
		List<String> names = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackages("dev.sluice")
			.stream()
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> method.isAnnotatedWith(Bean.class))
			.flatMap(BeanNamesTests::names)
			.toList();

		assertThat(names).hasSizeGreaterThan(50).allMatch((name) -> name.startsWith("sluice"));
	}

	private static Stream<String> names(JavaMethod method) {
		String[] names = method.getAnnotationOfType(Bean.class).value();
		return (names.length > 0) ? Arrays.stream(names) : Stream.of(method.getName());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anApplicationKeepsItsBeansOfCommonNames(boolean overriding) {
		this.contextRunner.withAllowBeanDefinitionOverriding(overriding)
			.withUserConfiguration(CommonNames.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean("inbound")).isInstanceOf(MessageChannel.class);
				assertThat(context.getBean("outbound")).isInstanceOf(MessageChannel.class);
				assertThat(context.getBean("webSocketSessionManager")).isEqualTo("mine");
				assertThat(context.getBean("throttlingManager")).isEqualTo("mine");
				assertThat(context).hasSingleBean(WebSocketSessionManager.class);
			});
	}

	@Test
	void anExecutorOfTheApplicationIsInjectedAsIfThereWereNoneOfOurs() {
		this.contextRunner.withUserConfiguration(OwnExecutor.class, Injected.class).run((context) -> {
			Injected injected = context.getBean(Injected.class);
			assertThat(injected.byType).isSameAs(context.getBean("inbound"))
				.isSameAs(context.getBean(SequentialLeveledTaskExecutor.class));
			assertThat(injected.inbound).isSameAs(context.getBean("sluiceInbound"));
			assertThat(injected.outbound).isSameAs(context.getBean("sluiceOutbound"));
		});
	}

	@Test
	void withoutOneOfTheApplicationTheInboundExecutorIsInjected() {
		this.contextRunner.withUserConfiguration(Injected.class).run((context) -> {
			assertThat(context.getBean(Injected.class).byType).isSameAs(context.getBean("sluiceInbound"))
				.isSameAs(context.getBean(SequentialLeveledTaskExecutor.class));
		});
	}

	/**
	 * An application that has none or one of a type gets the same injected as before;
	 * what is left are types of which Spring and Boot take all that there are.
	 */
	@Test
	void nothingOfOursIsInjectedForATypeOfSpringOrTheJdk() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasNotFailed();
			Set<String> types = new TreeSet<>();
			for (String name : candidates(context)) {
				Class<?> type = context.getType(name);
				assertThat(type).as(name).isNotNull();
				Stream.concat(superclasses(type), ClassUtils.getAllInterfacesForClassAsSet(type).stream())
					.filter((supertype) -> !supertype.getPackageName().startsWith("dev.sluice"))
					.filter((supertype) -> !Aware.class.isAssignableFrom(supertype)
							&& supertype != InitializingBean.class && supertype != DisposableBean.class)
					.forEach((supertype) -> types.add(supertype.getName()));
			}
			assertThat(types).isSubsetOf(TAKEN_TOGETHER);
		});
	}

	private static List<String> candidates(AssertableWebApplicationContext context) {
		DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getAutowireCapableBeanFactory();
		return Stream.of(beans.getBeanDefinitionNames()).filter((name) -> name.startsWith("sluice")).filter((name) -> {
			AbstractBeanDefinition bean = (AbstractBeanDefinition) beans.getMergedBeanDefinition(name);
			return bean.isAutowireCandidate() && bean.isDefaultCandidate();
		}).toList();
	}

	private static Stream<Class<?>> superclasses(Class<?> type) {
		return Stream.<Class<?>>iterate(type, (one) -> one != null && one != Object.class && one != Record.class,
				Class::getSuperclass);
	}

	@Test
	void theOnlyValidatorOfAnApplicationIsInjected() {
		new ApplicationContextRunner().withUserConfiguration(AutoConfigured.class)
			.withBean("own", Validator.class, () -> mock(Validator.class))
			.run((context) -> assertThat(context.getBean(Validator.class)).isSameAs(context.getBean("own")));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class AutoConfigured {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocketMessageBroker
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CommonNames {

		@Bean
		MessageChannel inbound() {
			return new ExecutorSubscribableChannel();
		}

		@Bean
		MessageChannel outbound() {
			return new ExecutorSubscribableChannel();
		}

		@Bean
		String webSocketSessionManager() {
			return "mine";
		}

		@Bean
		String throttlingManager() {
			return "mine";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnExecutor {

		@Bean
		SequentialLeveledTaskExecutor inbound() {
			return SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Injected {

		final SequentialLeveledTaskExecutor byType;

		final SequentialLeveledTaskExecutor inbound;

		final SequentialLeveledTaskExecutor outbound;

		Injected(SequentialLeveledTaskExecutor byType, @SluiceInbound SequentialLeveledTaskExecutor ofSessions,
				@SluiceOutbound SequentialLeveledTaskExecutor toClients) {
			this.byType = byType;
			this.inbound = ofSessions;
			this.outbound = toClients;
		}

	}

}
