package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

import static org.assertj.core.api.Assertions.assertThat;

/** Limits that an application has set at the container, on real sockets. */
@Tag("sockets")
@ExtendWith(OutputCaptureExtension.class)
class ContainerLimitsTests {

	private static final String LIMITS = "Limits of WebSocket sessions: ";

	@Test
	void whatTheApplicationHasSetHoldsUnlessAPropertySaysOtherwise(CapturedOutput output) {
		run((context) -> {
			int port = ((WebServerApplicationContext) context).getWebServer().getPort();
			assertThat(output).containsOnlyOnce(LIMITS)
				.contains(LIMITS + "text messages 102400B (ServletServerContainerFactoryBean), binary messages "
						+ "1024B (ServletServerContainerFactoryBean), time without a message PT1M "
						+ "(ServletServerContainerFactoryBean), waiting to be sent 524288B (default) and PT10S (default)");
			assertThat(context.getBean(WebSocketDispatcher.class)).extracting("settings.liveness.idle")
				.isEqualTo(Duration.ofMinutes(1));
			assertThat(echo(port, "x".repeat(100_000))).isEqualTo("100000");
			assertThat(closedBy(port, (client) -> client.send("x".repeat(110_000))))
				.isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
			assertThat(closedBy(port, (client) -> client.sendBinary(new byte[2_000])))
				.isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
		});
	}

	@Test
	void aPropertyComesBeforeTheContainer(CapturedOutput output) {
		run((context) -> {
			int port = ((WebServerApplicationContext) context).getWebServer().getPort();
			assertThat(output)
				.contains(LIMITS + "text messages 2048B (sluice.websocket.max-message-size), binary messages "
						+ "2048B (sluice.websocket.max-message-size), time without a message PT5M "
						+ "(sluice.websocket.idle-timeout)");
			assertThat(closedBy(port, (client) -> client.send("x".repeat(3_000))))
				.isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
		}, "--sluice.websocket.max-message-size=2KB", "--sluice.websocket.idle-timeout=5m");
	}

	@Tag("tomcat")
	@Test
	void parametersOfTheServletContextHold(CapturedOutput output) {
		run(Handlers.class, (context) -> {
			int port = ((WebServerApplicationContext) context).getWebServer().getPort();
			assertThat(output)
				.contains(LIMITS + "text messages 20000B (org.apache.tomcat.websocket.textBufferSize), binary messages "
						+ "8192B (org.apache.tomcat.websocket.binaryBufferSize), time without a message unlimited "
						+ "(default)");
			assertThat(echo(port, "x".repeat(19_999))).isEqualTo("19999");
			assertThat(closedBy(port, (client) -> client.send("x".repeat(20_001))))
				.isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
			assertThat(closedBy(port, (client) -> client.sendBinary(new byte[8_193])))
				.isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
		}, "--server.servlet.context-parameters.[org.apache.tomcat.websocket.textBufferSize]=20000",
				"--server.servlet.context-parameters.[org.apache.tomcat.websocket.binaryBufferSize]=8192");
	}

	@Test
	void whatNobodyHasSetIsOurs(CapturedOutput output) {
		run(Handlers.class, (context) -> {
			int port = ((WebServerApplicationContext) context).getWebServer().getPort();
			assertThat(output).contains(
					LIMITS + "text messages 65536B (default), binary messages 65536B (default), time without a message "
							+ "unlimited (default), waiting to be sent 524288B (default) and PT10S (default)");
			assertThat(echo(port, "x".repeat(60_000))).isEqualTo("60000");
		});
	}

	private static void run(Consumer<ConfigurableApplicationContext> assertions, String... arguments) {
		run(Application.class, assertions, arguments);
	}

	private static void run(Class<?> application, Consumer<ConfigurableApplicationContext> assertions,
			String... arguments) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
			.properties("server.port=0")
			.run(arguments)) {
			assertions.accept(context);
		}
	}

	private static String echo(int port, String text) {
		try (SocketClient client = new SocketClient(port, "/length")) {
			client.send(text);
			return client.next();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int closedBy(int port, Consumer<SocketClient> sending) {
		SocketClient client = new SocketClient(port, "/length");
		sending.accept(client);
		return client.closeCode();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Handlers.class)
	static class Application {

		@Bean
		ServletServerContainerFactoryBean container() {
			ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
			container.setMaxTextMessageBufferSize(100 * 1024);
			container.setMaxBinaryMessageBufferSize(1024);
			container.setMaxSessionIdleTimeout(60_000L);
			return container;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Handlers {

		@Bean
		WebSocketConfigurer handlers() {
			return (registry) -> registry.addHandler(new LengthHandler(), "/length");
		}

	}

	static class LengthHandler extends AbstractWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(String.valueOf(message.getPayloadLength())));
		}

	}

}
