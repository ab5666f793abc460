package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.eclipse.jetty.websocket.api.Session;
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
import org.springframework.core.env.Environment;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistration;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.jetty.JettyRequestUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A container whose reading cannot be stopped, on real sockets. Run without Tomcat on the
 * class path.
 */
@Tag("jetty")
class JettyTests {

	private static final int MESSAGES = 1_000;

	private static final String PADDING = " ".repeat(30_000);

	private ConfigurableApplicationContext context;

	private Semaphore permits;

	@AfterEach
	void close() {
		this.permits.release(MESSAGES);
		this.context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aFloodIsSlowedByItsThreadAndNothingIsLost(String path) throws InterruptedException {
		start("--sluice.websocket.inbound.high-water-mark=20", "--sluice.websocket.inbound.low-water-mark=5");
		try (SocketClient client = connect(path)) {
			IntStream.range(0, MESSAGES).forEach((i) -> client.send(i + PADDING));
			await().until(() -> waiting() == 19);
			assertThat(client.hasSentAll()).isFalse();
			this.permits.release(MESSAGES);
			for (int i = 0; i < MESSAGES; i++) {
				assertThat(client.next()).isEqualTo(String.valueOf(i));
				assertThat(waiting()).isLessThanOrEqualTo(20);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aFloodEndsItsSessionIfSoConfigured(String path) {
		start("--sluice.websocket.inbound.high-water-mark=20", "--sluice.websocket.inbound.low-water-mark=5",
				"--sluice.websocket.inbound.fallback=close");
		SocketClient client = connect(path);
		IntStream.range(0, 40).forEach((i) -> client.send("message"));
		assertThat(client.closeCode()).isEqualTo(CloseStatus.SERVICE_OVERLOAD.getCode());
	}

	@Tag("full")
	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aClientThatIsNotReadIsNotBlamedForItsPongs(String path) throws IOException {
		start("--sluice.websocket.inbound.high-water-mark=2", "--sluice.websocket.inbound.low-water-mark=1",
				"--sluice.websocket.heartbeat.interval=100ms", "--sluice.websocket.heartbeat.timeout=500ms");
		try (RawClient client = new RawClient(port(), path)) {
			for (int i = 0; i < 10; i++) {
				client.write(String.valueOf(i));
			}
			client.flush();
			await().during(Duration.ofSeconds(1)).until(() -> sessions().count() == 1);
			this.permits.release(MESSAGES);
			for (int i = 0; i < 10; i++) {
				assertThat(client.read()).isEqualTo(String.valueOf(i));
			}
		}
	}

	@Tag("full")
	@ParameterizedTest
	@ValueSource(ints = { 1, 40 })
	void aClientThatDoesNotReadIsCutOff(int messages) {
		start("--sluice.websocket.outbound.send-time-limit=1s", "--sluice.websocket.outbound.buffer-size-limit=20MB",
				"--sluice.websocket.heartbeat.interval=0");
		try (RawClient client = new RawClient(port(), "/typed")) {
			await().until(() -> open() == 1);
			for (int i = 0; i < messages; i++) {
				sessions().postToAll("x".repeat(8 * 1024 * 1024 / messages * 2));
			}
			await().atMost(Duration.ofSeconds(8)).until(() -> sessions().count() == 0);
			assertThat(client).isNotNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void nothingIsLeftOfClientsThatEndWhileTheyAreNotRead(String path) throws IOException {
		start("--sluice.websocket.inbound.high-water-mark=2", "--sluice.websocket.inbound.low-water-mark=1");
		List<RawClient> clients = IntStream.range(0, 20).mapToObj((i) -> new RawClient(port(), path)).toList();
		for (RawClient client : clients) {
			for (int i = 0; i < 20; i++) {
				client.write("hello");
			}
			client.flush();
		}
		await().until(() -> this.permits.getQueueLength() == clients.size());
		clients.forEach(RawClient::reset);
		this.permits.release(MESSAGES);
		await().until(() -> sessions().count() == 0);
		await().until(() -> this.context.getBean("sluiceInbound", SequentialLeveledTaskExecutor.class)
			.snapshot(0)
			.queues() == 0);
	}

	@Tag("full")
	@Test
	void messagesMayBeAsLargeAsTheLimitSays() throws InterruptedException {
		start("--sluice.websocket.max-message-size=300KB");
		this.permits.release(MESSAGES);
		try (SocketClient client = connect("/typed")) {
			client.send("large" + " ".repeat(250_000));
			assertThat(client.next()).isEqualTo("large");
			client.send("too large" + " ".repeat(320_000));
			assertThat(client.closeCode()).isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void textThatIsNoTextEndsWithItsOwnCode(String path) throws IOException {
		start();
		try (RawClient client = new RawClient(port(), path)) {
			client.writeText(new byte[] { (byte) 0xED, (byte) 0xA0, (byte) 0x80 });
			client.flush();
			assertThat(client.readCloseCode()).isEqualTo(CloseStatus.BAD_DATA.getCode());
		}
	}

	@Test
	void theIdleTimeThatTheApplicationHasSetHoldsThoughThePingsAreAnswered() {
		start("--impatient", "--sluice.websocket.heartbeat.interval=100ms");
		try (SocketClient client = connect("/raw")) {
			assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		}
	}

	@Test
	void jettyEndsAConnectionThatIsIdleForThirtySeconds() throws InterruptedException {
		start("--sluice.websocket.enabled=false");
		try (SocketClient client = connect("/native")) {
			client.send("0");
			assertThat(client.next()).isEqualTo("PT30S");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "100ms", "0" })
	void pingsKeepASessionOpenForLongerThanTheIdleTimeOfJetty(String interval) throws InterruptedException {
		start("--sluice.websocket.heartbeat.interval=" + interval);
		try (SocketClient client = connect("/native")) {
			client.send("500");
			assertThat(client.next()).isEqualTo("PT30S");
			if (interval.equals("0")) {
				assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
			}
			else {
				await().during(Duration.ofMillis(1500)).until(() -> !client.isClosed());
			}
		}
	}

	@Test
	void aStopIsToldToAllClients() {
		start();
		List<SocketClient> clients = List.of(connect("/typed"), connect("/raw"));
		await().until(() -> this.context.getBean(WebSocketSessionManager.class).count() == 2);
		this.context.close();
		assertThat(clients).extracting(SocketClient::closeCode).containsOnly(CloseStatus.GOING_AWAY.getCode());
	}

	private void start(String... arguments) {
		this.context = new SpringApplicationBuilder(Application.class).properties("server.port=0").run(arguments);
		this.permits = this.context.getBean(Semaphore.class);
		assertThat(((WebServerApplicationContext) this.context).getWebServer().getClass().getName()).contains("jetty");
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

	private int open() {
		return sessions().find(ManagedSession.class, ManagedSession::isOpen).size();
	}

	private long waiting() {
		return this.context.getBean(SequentialLeveledTaskExecutor.class).snapshot(0).waitingNormal();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import(Typed.class)
	static class Application {

		@Bean
		static Semaphore permits() {
			return new Semaphore(0);
		}

		/** Something could pass, so sessions are read ahead. */
		@Bean
		static LevelResolver levels() {
			return (session, message) -> null;
		}

		@Bean
		WebSocketConfigurer handlers(Semaphore permits, Environment environment) {
			return (registry) -> {
				WebSocketHandlerRegistration raw = registry.addHandler(new Raw(permits), "/raw");
				registry.addHandler(new Native(), "/native");
				if (environment.containsProperty("impatient")) {
					raw.setHandshakeHandler(new DefaultHandshakeHandler(impatient()));
				}
			};
		}

		/** Sets the idle time of all sessions. */
		private static JettyRequestUpgradeStrategy impatient() {
			JettyRequestUpgradeStrategy strategy = new JettyRequestUpgradeStrategy();
			strategy.addWebSocketConfigurer((container) -> container.setIdleTimeout(Duration.ofSeconds(1)));
			return strategy;
		}

	}

	/** Answers with the beginning of each message, when there is a permit. */
	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		private final Semaphore permits;

		Typed(Semaphore permits) {
			this.permits = permits;
		}

		@OnMessage
		String answer(String message) throws InterruptedException {
			this.permits.acquire();
			return message.trim();
		}

	}

	/** Answers with the idle time of its connection, and sets another. */
	static class Native extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			Session connection = ((NativeWebSocketSession) session).getNativeSession(Session.class);
			session.sendMessage(new TextMessage(connection.getIdleTimeout().toString()));
			connection.setIdleTimeout(Duration.ofMillis(Long.parseLong(message.getPayload())));
		}

	}

	/** Answers in the same way. */
	static class Raw extends TextWebSocketHandler {

		private final Semaphore permits;

		Raw(Semaphore permits) {
			this.permits = permits;
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			this.permits.acquire();
			session.sendMessage(new TextMessage(message.getPayload().trim()));
		}

	}

}
