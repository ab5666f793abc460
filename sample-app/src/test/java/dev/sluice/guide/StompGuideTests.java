package dev.sluice.guide;

import dev.sluice.test.SettableClock;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/stomp.md} shows. */
class StompGuideTests {

	@Test
	void aControllerAnswersInOrderAndIsLimited() throws InterruptedException {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class).run(
				"--spring.config.name=none", "--server.port=0", "--sluice.throttles.quotes.limit=2",
				"--sluice.throttles.quotes.period=1s")) {
			int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			try (SocketClient client = new SocketClient(port, "/stomp", "http://localhost:" + port, "v12.stomp")) {
				client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
				assertThat(client.next()).startsWith("CONNECTED");
				client.send("SUBSCRIBE\nid:1\ndestination:/user/queue/quotes\n\n\0");
				client.send("SUBSCRIBE\nid:2\ndestination:/user/queue/errors\n\n\0");
				for (String symbol : new String[] { "A", "B", "C" }) {
					client.send("SEND\ndestination:/app/quote\ncontent-type:text/plain\n\n" + symbol + "\0");
				}
				assertThat(client.next(3)).satisfiesExactly((frame) -> assertThat(frame).contains("A 42"),
						(frame) -> assertThat(frame).contains("B 42"), (frame) -> assertThat(frame)
							.contains("{\"type\":\"throttled\",\"resource\":\"quotes\",\"retryAfter\":"));
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocketMessageBroker
	@Import(Quotes.class)
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/queue");
			registry.setApplicationDestinationPrefixes("/app");
		}

		@Bean
		NanoClock clock() {
			return new SettableClock();
		}

	}

}
