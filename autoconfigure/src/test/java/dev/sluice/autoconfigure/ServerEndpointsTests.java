package dev.sluice.autoconfigure;

import dev.sluice.test.socket.SocketClient;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.server.standard.ServerEndpointExporter;

import static org.assertj.core.api.Assertions.assertThat;

/** Endpoints that the container calls, which nothing of ours touches. */
class ServerEndpointsTests {

	@Test
	void aStopIsToldToTheirClients() throws InterruptedException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0")
			.run();
		SocketClient client = new SocketClient(((WebServerApplicationContext) context).getWebServer().getPort(),
				"/server-endpoint");
		client.send("message");
		assertThat(client.next()).isEqualTo("message");
		context.close();
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

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

}
