package dev.sluice.autoconfigure.websocket;

import java.io.IOException;

import dev.sluice.test.socket.SocketClient;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.standard.ServerEndpointExporter;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions that nothing of ours touches. */
@Tag("sockets")
class ServerEndpointsTests {

	@ParameterizedTest
	@ValueSource(strings = { "/server-endpoint", "/excluded" })
	void aStopIsToldToTheirClients(String path) throws InterruptedException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "sluice.websocket.handlers.exclude-paths=/excluded")
			.run();
		SocketClient client = new SocketClient(((WebServerApplicationContext) context).getWebServer().getPort(), path);
		client.send("message");
		assertThat(client.next()).isEqualTo("message");
		context.close();
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Excluded(), "/excluded");
		}

		@Bean
		ServerEndpointExporter exporter() {
			return new ServerEndpointExporter();
		}

		@Bean
		Echo echo() {
			return new Echo();
		}

	}

	@ServerEndpoint("/server-endpoint")
	public static class Echo {

		@OnMessage
		public String echo(String message) {
			return message;
		}

	}

	static class Excluded extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

}
