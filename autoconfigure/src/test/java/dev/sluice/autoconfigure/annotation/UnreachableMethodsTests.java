package dev.sluice.autoconfigure.annotation;

import dev.sluice.annotation.Mutex;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnreachableMethodsTests {

	private static final String WARNING = " is not limited as its annotations require: it is a callback";

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceAnnotationsAutoConfiguration.class))
		.withUserConfiguration(Handlers.class);

	@ParameterizedTest
	@CsvSource({ "sluice.websocket.enabled=true, false, false, false",
			"sluice.websocket.enabled=false, true, false, true",
			"sluice.websocket.handlers.enabled=false, true, false, true",
			"sluice.websocket.handlers.exclude-paths=/*, true, true, true" })
	void warnsOfCallbacksThatNobodyLimits(String property, boolean text, boolean every, boolean type,
			CapturedOutput output) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output.toString().contains("TextHandler.handleTextMessage of bean 'text'" + WARNING))
				.isEqualTo(text);
			assertThat(output.toString().contains("EveryHandler.handleMessage of bean 'every'" + WARNING))
				.isEqualTo(every);
			assertThat(output.toString().contains("OnType.handleTextMessage of bean 'onType'" + WARNING))
				.isEqualTo(type);
			assertThat(output).contains("TextHandler.afterConnectionClosed of bean 'text'" + WARNING);
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSocket
	static class Handlers {

		@Bean
		TextHandler text() {
			return new TextHandler();
		}

		@Bean
		EveryHandler every() {
			return new EveryHandler();
		}

		@Bean
		OnType onType() {
			return new OnType();
		}

		@Bean
		WebSocketConfigurer configurer(TextHandler text, EveryHandler every, OnType onType) {
			return (registry) -> registry.addHandler(text, "/text")
				.addHandler(every, "/every")
				.addHandler(onType, "/type");
		}

	}

	static class TextHandler extends TextWebSocketHandler {

		@Override
		@Mutex("m")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
		}

		@Override
		@Mutex("m")
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		}

	}

	static class EveryHandler extends TextWebSocketHandler {

		@Override
		@Mutex("m")
		public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
		}

	}

	@Mutex("m")
	static class OnType extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
		}

	}

}
