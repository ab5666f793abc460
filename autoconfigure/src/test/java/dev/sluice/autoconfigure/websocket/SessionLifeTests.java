package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.autoconfigure.fixture.Container;
import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** How sessions of all doors end, other than by their clients' wish. */
@Tag("sockets")
class SessionLifeTests {

	/** A client has 30 seconds to agree to a close. */
	private static final Duration LESS_THAN_TOMCAT_WAITS = Duration.ofSeconds(20);

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		this.context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed", "/stomp" })
	void handshakesPastTheLimitAreRefusedUntilASessionEnds(String path) {
		start("--sluice.websocket.max-sessions-per-address=1");
		SocketClient first = connect(path);
		await().until(() -> sessions().count() == 1);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> connect(path))
			.havingCause()
			.isInstanceOfSatisfying(WebSocketHandshakeException.class,
					(refused) -> assertThat(refused.getResponse().statusCode()).isEqualTo(503));
		first.close();
		await().ignoreException(CompletionException.class).untilAsserted(() -> connect(path).close());
	}

	@Tag("full")
	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed", "/stomp" })
	void aClientThatAnswersNoPingIsCutOff(String path) throws InterruptedException {
		start("--sluice.websocket.heartbeat.interval=200ms", "--sluice.websocket.heartbeat.timeout=4s");
		SocketClient deaf = connect(path);
		SocketClient alive = connect(path);
		deaf.stopReading();
		if (path.equals("/stomp")) {
			deaf.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
			assertThat(deaf.next()).startsWith("CONNECTED");
		}
		else {
			awaitOpen(2);
			sessions().postToAll("hello").join();
			assertThat(deaf.next()).isEqualTo("hello");
		}
		await().atMost(SocketClient.PATIENCE).until(() -> sessions().count() == 1);
		assertThat(alive.isClosed()).isFalse();
		alive.close();
	}

	@Test
	void anIdleSessionIsClosed() {
		start("--sluice.websocket.idle-timeout=300ms", "--sluice.websocket.heartbeat.interval=50ms");
		SocketClient client = connect("/raw");
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		assertThat(client.closeReason()).isEqualTo("Idle");
	}

	@Test
	void anAbortedSessionDoesNotWaitForItsClientToAgree() throws IOException {
		start();
		try (RawClient client = new RawClient(port(), "/typed")) {
			awaitOpen(1);
			sessions().abortAll();
			client.readToTheEnd(LESS_THAN_TOMCAT_WAITS);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aSessionForWhichTooMuchWaitsKeepsNoSocketOfAClientThatDoesNotRead(CapturedOutput output) {
		start();
		Queue<CloseStatus> statuses = statuses();
		try (RawClient client = new RawClient(port(), "/typed")) {
			awaitOpen(1);
			for (int i = 0; i < 5; i++) {
				sessions().postToAll("x".repeat(8_000_000));
			}
			assertThat(client).isNotNull();
			await().atMost(LESS_THAN_TOMCAT_WAITS).until(() -> connections() == 0);
			await().untilAsserted(() -> assertThat(statuses).containsExactly(CloseStatuses.TOO_MUCH_UNSENT));
		}
		assertThat(output).containsOnlyOnce("'sluice.websocket.outbound.buffer-size-limit'")
			.doesNotContain("'sluice.websocket.outbound.send-time-limit'");
	}

	private Queue<CloseStatus> statuses() {
		Queue<CloseStatus> statuses = new ConcurrentLinkedQueue<>();
		this.context.addApplicationListener(
				ApplicationListener.<WebSocketSessionClosedEvent>forPayload((event) -> statuses.add(event.status())));
		return statuses;
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aSessionThatIsCutOffIsToldTheStatus(CapturedOutput output) {
		start("--sluice.websocket.outbound.send-time-limit=200ms");
		Queue<CloseStatus> statuses = statuses();
		try (RawClient client = new RawClient(port(), "/typed")) {
			assertThat(client).isNotNull();
			awaitOpen(1);
			sessions().postToAll("x".repeat(8_000_000));
			await().untilAsserted(() -> assertThat(statuses).containsExactly(CloseStatuses.TOO_SLOW));
		}
		assertThat(output).containsOnlyOnce("'sluice.websocket.outbound.send-time-limit'")
			.doesNotContain("'sluice.websocket.outbound.buffer-size-limit'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed" })
	void aSessionThatTheServerClosesIsToldTheReason(String path) {
		start();
		Queue<CloseStatus> statuses = new ConcurrentLinkedQueue<>();
		this.context.addApplicationListener(
				ApplicationListener.<WebSocketSessionClosedEvent>forPayload((event) -> statuses.add(event.status())));
		CloseStatus closing = CloseStatus.POLICY_VIOLATION.withReason("Closing time");
		SocketClient client = connect(path);
		awaitOpen(1);
		sessions().closeAll(closing);
		assertThat(client.closeCode()).isEqualTo(closing.getCode());
		assertThat(client.closeReason()).isEqualTo("Closing time");
		await().untilAsserted(() -> assertThat(statuses).containsExactly(closing));
	}

	@Test
	void anAbortedSessionEndsAtOnceEvenIfItsClientDoesNotRead() throws InterruptedException {
		start();
		SocketClient client = connect("/typed");
		client.stopReading();
		awaitOpen(1);
		sessions().postToAll("hello").join();
		assertThat(client.next()).isEqualTo("hello");
		sessions().postToAll("x".repeat(10_000_000));
		sessions().abortAll();
		await().dontCatchUncaughtExceptions().until(() -> sessions().count() == 0);
	}

	private void start(String... arguments) {
		List<String> properties = new ArrayList<>(List.of(arguments));
		properties.add("--server.port=0");
		properties.add("--sluice.websocket.outbound.buffer-size-limit=20MB");
		this.context = new SpringApplicationBuilder(Application.class).run(properties.toArray(String[]::new));
	}

	private long connections() {
		return Container.current().connections(((WebServerApplicationContext) this.context).getWebServer());
	}

	private SocketClient connect(String path) {
		return new SocketClient(port(), path);
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	/** Until messages are sent to so many sessions. */
	private void awaitOpen(int number) {
		await().until(() -> sessions().find(ManagedSession.class, ManagedSession::isOpen).size() == number);
	}

	private WebSocketSessionManager sessions() {
		return this.context.getBean(WebSocketSessionManager.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Typed.class })
	static class Application implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new TextWebSocketHandler(), "/raw");
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

	}

}
