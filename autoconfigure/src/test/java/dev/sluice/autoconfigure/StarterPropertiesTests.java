package dev.sluice.autoconfigure;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.fixture.Container;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.execution.Level;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Properties of sessions, each set in an application with the starter. */
@Tag("sockets")
class StarterPropertiesTests {

	private ConfigurableApplicationContext context;

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void rejectedMessageClosesTheSession() throws InterruptedException {
		start("--sluice.websocket.on-throttled=close");
		SocketClient client = connect("/raw");

		client.send("first");
		client.send("second");

		assertThat(client.next()).isEqualTo("first");
		assertThat(client.closeCode()).isEqualTo(CloseStatus.SERVICE_OVERLOAD.getCode());
		assertThat(client.closeReason()).isEqualTo("Throttled");
	}

	@Test
	void rejectedMessageIsDropped() throws InterruptedException {
		start("--sluice.websocket.on-throttled=none");
		try (SocketClient client = connect("/raw")) {
			client.send("first");
			client.send("second");
			ThrottlingManager limits = this.context.getBean(ThrottlingManager.class);
			await().until(() -> limits.get("commands").snapshot(0).rejected() == 1);
			sessions().postToAll("alive").join();

			assertThat(client.next(2)).containsExactly("first", "alive");
		}
	}

	@Test
	void pageOfAnAllowedOriginConnectsAndNoOther() {
		start("--sluice.websocket.allowed-origins=https://partner.example");

		new SocketClient(port(), "/typed", "https://partner.example").close();
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> new SocketClient(port(), "/typed", "https://other.example"));
	}

	@Test
	void typeOfAMessageIsInThePropertyThatIsSet() throws InterruptedException {
		start("--sluice.websocket.type-property=kind");
		try (SocketClient client = connect("/typed")) {
			client.send("{\"kind\":\"deposit\",\"type\":\"withdrawal\",\"amount\":5}");

			assertThat(client.next()).isEqualTo("deposited 5");
		}
	}

	@Test
	void messageThatIsTooLargeClosesTheSession() throws InterruptedException {
		start("--sluice.websocket.max-message-size=1KB");
		try (SocketClient client = connect("/raw")) {
			client.send("x".repeat(1000));
			assertThat(client.next()).hasSize(1000);

			client.send("x".repeat(1100));

			assertThat(client.closeCode()).isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
			assertThat(client.closeReason()).isEqualTo((Container.current() == Container.TOMCAT)
					? "A message may have at most 1024 bytes" : "Text message too large: 1,100 > 1,024");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 9 })
	void capacityOfQueuesMayBeSetAloneAndNoMessageIsRejected(int capacity) throws InterruptedException {
		start("--sluice.execution.queue-capacity=" + capacity);
		try (SocketClient client = connect("/typed")) {
			for (int i = 0; i < 50; i++) {
				client.send("{\"type\":\"deposit\",\"amount\":" + i + "}");
			}
			for (int i = 0; i < 50; i++) {
				assertThat(client.next()).isEqualTo("deposited " + i);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "max-sessions", "max-sessions-per-principal" })
	void thereIsNoSessionAboveTheMaximum(String property) {
		start("--sluice.websocket." + property + "=1");
		try (SocketClient first = connect("/raw?alice")) {
			await().until(() -> sessions().count() == 1);

			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> connect("/raw?alice"));
			assertThat(first.isClosed()).isFalse();
			if (property.equals("max-sessions-per-principal")) {
				connect("/raw?bob").close();
			}
		}
	}

	@Test
	void sessionAboveTheMaximumIsClosedWhereTheHandshakeDeterminesThePrincipal() throws InterruptedException {
		start("--sluice.websocket.max-sessions-per-principal=1");
		try (SocketClient first = connect("/determined")) {
			await().until(() -> sessions().count() == 1);
			try (SocketClient second = connect("/determined")) {
				assertThat(second.closeCode()).isEqualTo(CloseStatus.SERVICE_OVERLOAD.getCode());
				assertThat(second.closeReason()).isEqualTo("Too many sessions");
			}
			first.send("hello");
			assertThat(first.next()).isEqualTo("hello");
			assertThat(sessions().count()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void stompIsLeftAlone(boolean enabled) {
		start("--sluice.websocket.stomp.enabled=" + enabled);

		assertThat(this.context.getBeanNamesForType(SluiceStompAutoConfiguration.class)).hasSize(enabled ? 1 : 0);
	}

	@Tag("full")
	@Test
	void clientThatDoesNotReadMissesTheOldestAndStays() throws InterruptedException {
		start("--sluice.websocket.outbound.overflow=drop-oldest", "--sluice.websocket.outbound.buffer-size-limit=64KB");
		try (SocketClient client = connect("/typed")) {
			await().until(() -> sessions().find(ManagedSession.class, ManagedSession::isOpen).size() == 1);
			ManagedSession session = sessions().find(ManagedSession.class, ManagedSession::isOpen).iterator().next();
			client.stopReading();
			List<CompletableFuture<?>> sent = new ArrayList<>();
			await().pollInterval(Duration.ofMillis(1)).until(() -> {
				sent.add(session.post("x".repeat(60_000)));
				return sent.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
			});
			client.resumeReading();

			CompletableFuture<?> last = session.post("last");
			assertThat(last).succeedsWithin(SocketClient.PATIENCE);
			await().until(() -> client.next().equals("last"));
			assertThat(client.isClosed()).isFalse();
		}
	}

	private void start(String... arguments) {
		List<String> properties = new ArrayList<>(List.of(arguments));
		properties.addAll(List.of("--server.port=0", "--sluice.throttles.commands.limit=1",
				"--sluice.throttles.commands.period=1h"));
		this.context = new SpringApplicationBuilder(Application.class).run(properties.toArray(String[]::new));
	}

	private SocketClient connect(String path) {
		return new SocketClient(port(), path);
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	private WebSocketSessionManager sessions() {
		return this.context.getBean(WebSocketSessionManager.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Typed.class, Echo.class })
	static class Application {

		@Bean
		WebSocketConfigurer handlers(Echo echo) {
			return (registry) -> {
				registry.addHandler(echo, "/raw");
				registry.addHandler(echo, "/determined").setHandshakeHandler(new DefaultHandshakeHandler() {

					@Override
					protected Principal determineUser(ServerHttpRequest request, WebSocketHandler handler,
							Map<String, Object> attributes) {
						return () -> "user";
					}

				});
			};
		}

		/** Has the query be the name of the principal. */
		@Bean
		Filter namedByQuery() {
			return (request, response, chain) -> {
				String query = ((HttpServletRequest) request).getQueryString();
				chain.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

					@Override
					public Principal getUserPrincipal() {
						return (query != null) ? () -> query : null;
					}

				}, response);
			};
		}

	}

	static class Echo extends TextWebSocketHandler {

		@Override
		@Throttled(value = "commands", key = "#session.id")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage("deposit")
		String deposit(Deposit deposit) {
			return "deposited " + deposit.amount();
		}

		/** May pass others, so that the session is read ahead. */
		@OnMessage(value = "alarm", level = Level.HIGH)
		void alarm() {
		}

		record Deposit(int amount) {
		}

	}

}
