package dev.sluice.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.SluiceOutbound;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The beans of an application and those of the starter side by side.
 */
class BeanNamesTests {

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
