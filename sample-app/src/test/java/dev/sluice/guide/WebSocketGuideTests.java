package dev.sluice.guide;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Throttled;
import dev.sluice.execution.Level;
import dev.sluice.test.SettableClock;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.SessionTypeResolver;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What {@code docs/websocket.md} shows. */
class WebSocketGuideTests {

	private static ConfigurableApplicationContext application;

	private static int port;

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).run("--spring.config.name=none",
				"--server.port=0", "--sluice.throttles.commands.limit=1", "--sluice.throttles.commands.period=1s");
		port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	@AfterAll
	static void close() {
		application.close();
	}

	@AfterEach
	void awaitTheEnd() {
		await().until(() -> application.getBean(WebSocketSessionManager.class).count() == 0);
	}

	@Test
	void aTypedSessionAnswers() throws InterruptedException {
		try (SocketClient client = new SocketClient(port, "/bank/main")) {
			assertThat(client.next()).isEqualTo("{\"branch\":\"main\"}");
			client.send("{\"type\":\"deposit\",\"amount\":50}");
			assertThat(client.next()).isEqualTo("{\"balance\":50}");
		}
	}

	@Test
	void theSubProtocolDecidesOnTheClass() throws InterruptedException {
		try (SocketClient client = new SocketClient(port, "/feed")) {
			client.send("ACME");
			assertThat(client.next()).isEqualTo("ACME 42");
		}
		try (SocketClient client = new SocketClient(port, "/feed", "http://localhost:" + port, "feed.v3", "feed.v2")) {
			client.send("{\"type\":\"subscribe\",\"symbol\":\"ACME\"}");
			assertThat(client.next()).isEqualTo("{\"symbol\":\"ACME\",\"amount\":42}");
		}
		WebSocket socket = HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.subprotocols("feed.v3", "feed.v2")
			.buildAsync(URI.create("ws://localhost:" + port + "/feed"), new WebSocket.Listener() {
			})
			.join();
		assertThat(socket.getSubprotocol()).isEqualTo("feed.v2");
		socket.abort();
	}

	@Test
	void aResolverDecidesWhereTheSubProtocolDoesNot() throws InterruptedException {
		try (SocketClient client = new SocketClient(port, "/feed?recent")) {
			client.send("{\"type\":\"hello\"}");
			assertThat(client.next()).isEqualTo("{\"symbol\":\"none\",\"amount\":0}");
		}
	}

	@Test
	void anAlarmClosesTheSession() {
		try (SocketClient client = new SocketClient(port, "/bank/main")) {
			client.send("{\"type\":\"alarm\"}");
			assertThat(client.closeCode()).isEqualTo(1008);
		}
	}

	@Test
	void messagesThatAreNotHandledAreAnsweredAsThePageSays() throws InterruptedException {
		try (SocketClient client = new SocketClient(port, "/bank/main")) {
			client.send("{");
			client.send("{\"type\":\"none\"}");
			client.send("{\"type\":\"deposit\",\"amount\":-1}");
			assertThat(client.next(4).subList(1, 4)).satisfiesExactly(
					(frame) -> assertThat(frame)
						.startsWith("{\"type\":\"error\",\"reason\":\"unreadable\",\"detail\":"),
					(frame) -> assertThat(frame)
						.startsWith("{\"type\":\"error\",\"reason\":\"unknown-type\",\"detail\":"),
					(frame) -> assertThat(frame).isEqualTo("{\"type\":\"error\",\"reason\":\"failed\"}"));
		}
	}

	@Test
	void aHandlerIsLimited() throws InterruptedException {
		try (SocketClient client = new SocketClient(port, "/echo")) {
			client.send("one");
			client.send("two");
			assertThat(client.next()).isEqualTo("You said: one");
			assertThat(client.next()).startsWith("{\"type\":\"throttled\",\"resource\":\"commands\",\"retryAfter\":");
		}
	}

	@Test
	void sessionsAreFound() throws InterruptedException {
		try (SocketClient client = new SocketClient(port, "/bank/main")) {
			client.next();
			assertThat(application.getBean(Evening.class).close()).succeedsWithin(SocketClient.PATIENCE).isEqualTo(1);
			assertThat(client.next(2)).containsExactly("Closing time", "{\"warning\":\"Last orders\"}");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ Ledger.class, BankSession.class, Echo.class, Evening.class, Feed.class, RecentFeed.class,
			EmptyFeed.class })
	static class Application {

		@Bean
		WebSocketConfigurer handlers(Echo echo) {
			return (registry) -> registry.addHandler(echo, "/echo");
		}

		@Bean
		LevelResolver urgent() {
			return (session, message) -> (message.getPayloadLength() < 10) ? Level.HIGH : null;
		}

		@Bean
		SessionTypeResolver recent() {
			return (request,
					candidates) -> candidates.contains(EmptyFeed.class) && "recent".equals(request.getURI().getQuery())
							? EmptyFeed.class : candidates.get(0);
		}

		@Bean
		NanoClock clock() {
			return new SettableClock();
		}

	}

	@Component
	static class Ledger {

		private int balance;

		synchronized Receipt deposit(int amount) {
			if (amount < 0) {
				throw new IllegalArgumentException("Amount is negative");
			}
			this.balance = amount;
			return new Receipt(this.balance);
		}

	}

	@WebSocketEndpoint(path = "/feed")
	static class Feed extends ManagedSession {

		@OnMessage
		String quote(String symbol) {
			return symbol + " 42";
		}

	}

	@WebSocketEndpoint(path = "/feed", subProtocols = "feed.v2")
	static class RecentFeed extends ManagedSession {

		@OnMessage
		Quote quote(Subscribe subscribe) {
			return new Quote(subscribe.symbol(), 42);
		}

	}

	@WebSocketEndpoint(path = "/feed")
	static class EmptyFeed extends ManagedSession {

		@OnMessage("hello")
		Quote none() {
			return new Quote("none", 0);
		}

	}

	record Subscribe(String symbol) {

	}

	record Quote(String symbol, int amount) {

	}

	record Deposit(int amount) {

	}

	record Receipt(int balance) {

	}

	record Welcome(String branch) {

	}

	record Warning(String warning) {

	}

	@Component
	static class Echo extends TextWebSocketHandler {

		@Override
		@Throttled(value = "commands", key = "#session.id")
		public void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage("You said: " + message.getPayload()));
		}

	}

	@Component
	static class Evening {

		private final WebSocketSessionManager sessions;

		Evening(WebSocketSessionManager sessions) {
			this.sessions = sessions;
		}

		CompletableFuture<Integer> close() {
			CompletableFuture<Integer> sent = this.sessions.sendToAll(BankSession.class, (session) -> session.isOpen(),
					"Closing time");
			this.sessions.find(BankSession.class, (session) -> true).forEach((session) -> session.warn("Last orders"));
			return sent;
		}

	}

}
