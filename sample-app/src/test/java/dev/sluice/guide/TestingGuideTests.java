package dev.sluice.guide;

import java.io.IOException;
import java.time.Duration;

import dev.sluice.test.SettableClock;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/testing.md} shows. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "spring.config.name=none",
		"sluice.throttles.logins.limit=1", "sluice.throttles.logins.period=1h" })
class TestingGuideTests {

	@LocalServerPort
	private int port;

	@Test
	void anHourPassesAtOnce(@Autowired ThrottlingManager limits, @Autowired SettableClock clock) {
		Throttle logins = limits.get("logins");
		assertThat(logins.tryAcquire("alice").admitted()).isTrue();
		assertThat(logins.tryAcquire("alice").retryAfter()).isEqualTo(Duration.ofHours(1));
		clock.advance(Duration.ofHours(1));
		assertThat(logins.tryAcquire("alice").admitted()).isTrue();
	}

	@Test
	void aHandshakeHasTheHeadersOfTheTest() throws InterruptedException {
		int port = this.port;
		try (SocketClient client = new SocketClient(port, "/whoami",
				(handshake) -> handshake.header("Authorization", "Bearer alice"))) {
			client.send("Who am I?");
			assertThat(client.next()).isEqualTo("Bearer alice");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		@Bean
		SettableClock clock() {
			return new SettableClock();
		}

		@Bean
		WebSocketConfigurer handlers() {
			return (registry) -> registry.addHandler(new WhoAmI(), "/whoami");
		}

	}

	/** Answers with the header that the handshake had. */
	static class WhoAmI extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(session.getHandshakeHeaders().getFirst("Authorization")));
		}

	}

}
