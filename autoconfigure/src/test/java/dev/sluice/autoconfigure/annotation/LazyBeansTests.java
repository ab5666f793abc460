package dev.sluice.autoconfigure.annotation;

import dev.sluice.annotation.Mutex;
import dev.sluice.autoconfigure.fixture.Warnings;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Limits of an application whose beans are created when they are first used. */
@ExtendWith(OutputCaptureExtension.class)
class LazyBeansTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceAnnotationsAutoConfiguration.class))
		.withUserConfiguration(Handlers.class, Service.class, Typed.class);

	@Test
	void methodsAreLimitedWithoutAWarning(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(Warnings.in(output)).isEmpty();
			Service service = context.getBean(Service.class);
			service.run();
			try (Permit held = context.getBean(ThrottlingManager.class).get("m").tryAcquire().permit()) {
				assertThat(held).isNotNull();
				assertThatExceptionOfType(ThrottledException.class).isThrownBy(service::run);
			}
		});
	}

	@Test
	void pathsOfHandlersAreKnownAtTheStart(CapturedOutput output) {
		this.contextRunner.withPropertyValues("sluice.websocket.handlers.exclude-paths=/handler,/missing")
			.run((context) -> assertThat(output).contains("No handler has the path '/missing'")
				.doesNotContain("No handler has the path '/handler'"));
		this.contextRunner.withUserConfiguration(SamePath.class).run((context) -> assertThat(context).hasFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSocket
	static class Handlers {

		@Bean
		Handler handler() {
			return new Handler();
		}

		@Bean
		WebSocketConfigurer configurer(Handler handler) {
			return (registry) -> registry.addHandler(handler, "/handler");
		}

	}

	static class Handler extends TextWebSocketHandler {

		@Override
		@Mutex("m")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		@Mutex("m")
		void said(String text) {
		}

	}

	@WebSocketEndpoint("/handler")
	static class SamePath extends Typed {

	}

	static class Service {

		@Mutex("m")
		void run() {
		}

	}

}
