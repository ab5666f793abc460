package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Pings and closes on real connections, with one thread of the container for all. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "server.tomcat.threads.max=1", "sluice.websocket.outbound.send-time-limit=1s",
				"sluice.websocket.outbound.buffer-size-limit=20MB", "sluice.websocket.heartbeat.interval=2s" })
@Timeout(15)
class ControlFramesTests {

	/** More than the buffers of the sockets take. */
	private static final byte[] LARGE = new byte[8 * 1024 * 1024];

	private static final int CLOSES = 100;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private Turns turns;

	@AfterEach
	void abort() {
		this.turns.over().release(CLOSES);
		this.sessions.abortAll();
		await().until(() -> this.sessions.count() == 0);
		this.turns.over().drainPermits();
		this.turns.begun().drainPermits();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw", "/stomp", "/sockjs/000/session/websocket" })
	void aPingIsAnsweredWithItsPayload(String path) throws IOException {
		try (RawClient client = new RawClient(this.port, path)) {
			client.ping("are you there?");
			assertThat(client.skipTo(RawClient.PONG)).asString().isEqualTo("are you there?");
		}
	}

	@Tag("tomcat")
	@Test
	void theLatestOfThePingsThatComeWhileAMessageIsSentIsAnsweredBehindIt() throws IOException {
		try (RawClient client = new RawClient(this.port, "/typed")) {
			awaitOpen(1);
			this.sessions.postToAll(LARGE);
			client.ping("first");
			client.ping("latest");
			client.write("hello");
			client.flush();
			assertThat(client.skipTo(RawClient.PONG)).asString().isEqualTo("latest");
			assertThat(client.skipTo(RawClient.TEXT)).asString().isEqualTo("hello");
		}
	}

	@Test
	void aClientThatPingsAndNeverReadsIsCutOffInTimeAndKeepsNoThread() throws IOException, InterruptedException {
		cutsOffAClientThatPingsAndNeverReads("/typed");
	}

	@Tag("tomcat")
	@Test
	void aClientOfSockJsThatPingsAndNeverReadsIsCutOffInTimeAndKeepsNoThread()
			throws IOException, InterruptedException {
		cutsOffAClientThatPingsAndNeverReads("/sockjs/000/pinging/websocket");
	}

	private void cutsOffAClientThatPingsAndNeverReads(String path) throws IOException, InterruptedException {
		try (RawClient pinging = new RawClient(this.port, path)) {
			awaitOpen(1);
			pinging.keepPinging();
			try (RawClient other = new RawClient(this.port, "/typed")) {
				other.write("hello");
				other.flush();
				assertThat(other.read()).isEqualTo("hello");
				assertThat(pinging.awaitCutOff(Duration.ofSeconds(10))).isTrue();
				await().until(() -> this.sessions.count() == 1);
			}
		}
	}

	@Test
	void aClientThatClosesWhileAMessageIsSentKeepsNoThread() throws IOException {
		try (RawClient closing = new RawClient(this.port, "/typed")) {
			awaitOpen(1);
			this.sessions.postToAll(LARGE);
			closing.writeClose(CloseStatus.NORMAL.getCode());
			try (RawClient other = new RawClient(this.port, "/typed")) {
				other.write("hello");
				other.flush();
				assertThat(other.read()).isEqualTo("hello");
				await().until(() -> this.sessions.count() == 1);
			}
		}
	}

	@Test
	void aCloseIsAnswered() throws IOException {
		try (RawClient client = new RawClient(this.port, "/typed")) {
			client.write("hello");
			client.writeClose(CloseStatus.NORMAL.getCode());
			assertThat(client.skipTo(RawClient.CLOSE)).isEqualTo(new byte[] { 3, (byte) 232 });
		}
	}

	/** Nothing of it is left to be read when it may be answered. */
	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aCloseWithoutACodeIsAnswered(String path) throws IOException {
		for (int i = 0; i < CLOSES; i++) {
			try (RawClient client = new RawClient(this.port, path)) {
				if (i % 2 == 0) {
					client.write("hello");
				}
				client.writeEmptyClose();
				assertThat(client.skipTo(RawClient.CLOSE)).isNotNull();
			}
		}
	}

	@Tag("tomcat")
	@Test
	void aCloseWithoutACodeBehindAMessageThatIsHandledWaitsForItAndKeepsNoThread() throws Exception {
		try (RawClient closing = new RawClient(this.port, "/held");
				RawClient other = new RawClient(this.port, "/raw")) {
			closing.write("hello");
			closing.writeEmptyClose();
			assertThat(this.turns.begun().tryAcquire(10, TimeUnit.SECONDS)).isTrue();
			other.write("hello");
			other.flush();
			assertThat(other.read()).isEqualTo("hello");
			assertThat(this.sessions.find(Held.class, ManagedSession::isOpen)).hasSize(1);
			this.turns.over().release();
			assertThat(closing.read()).isEqualTo("hello");
			assertThat(closing.readCloseCode()).isEqualTo(CloseStatus.NORMAL.getCode());
		}
	}

	/** None of the frames has a payload, so of none is anything left to be read. */
	@Tag("tomcat")
	@Test
	void emptyMessagesAndACloseWithoutACodeBehindAMessageThatIsHandledComeInTheirOrder() throws Exception {
		try (RawClient closing = new RawClient(this.port, "/held")) {
			closing.write("hello");
			closing.write("");
			closing.write("");
			closing.writeEmptyClose();
			this.turns.over().release(3);
			assertThat(closing.read()).isEqualTo("hello");
			assertThat(closing.read()).isEmpty();
			assertThat(closing.read()).isEmpty();
			assertThat(closing.readCloseCode()).isEqualTo(CloseStatus.NORMAL.getCode());
			assertThat(this.turns.begun().tryAcquire(3)).isTrue();
		}
	}

	/** Nothing is read behind a close, whatever a client sends. */
	@Tag("tomcat")
	@Test
	void whatComesBehindACloseWithoutACodeIsNotRead() throws Exception {
		try (RawClient closing = new RawClient(this.port, "/held")) {
			closing.write("hello");
			closing.writeEmptyClose();
			assertThat(this.turns.begun().tryAcquire(10, TimeUnit.SECONDS)).isTrue();
			closing.write("never");
			closing.writeEmptyClose();
			this.turns.over().release();
			assertThat(closing.read()).isEqualTo("hello");
			assertThat(closing.readCloseCode()).isEqualTo(CloseStatus.NORMAL.getCode());
			await().until(() -> this.sessions.count() == 0);
			assertThat(this.turns.begun().tryAcquire()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void anEmptyMessageBehindAnotherIsHandled(String path) throws IOException {
		for (int i = 0; i < CLOSES; i++) {
			try (RawClient client = new RawClient(this.port, path)) {
				client.write("hello");
				client.write("");
				client.flush();
				assertThat(client.read()).isEqualTo("hello");
				assertThat(client.read()).isEmpty();
			}
		}
	}

	/** Read after the answer, it meets the resumed reading of the socket. */
	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aCloseBehindAnAnswerIsAnswered(String path) throws IOException {
		for (int i = 0; i < CLOSES; i++) {
			try (RawClient client = new RawClient(this.port, path)) {
				client.write("hello");
				client.flush();
				assertThat(client.read()).isEqualTo("hello");
				client.writeClose(CloseStatus.NORMAL.getCode());
				assertThat(client.skipTo(RawClient.CLOSE)).isEqualTo(new byte[] { 3, (byte) 232 });
			}
		}
	}

	private void awaitOpen(int number) {
		await().until(() -> this.sessions.find(ManagedSession.class, ManagedSession::isOpen).size() == number);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Typed.class, Held.class })
	static class Application implements WebSocketConfigurer {

		@Bean
		Turns turns() {
			return new Turns(new Semaphore(0), new Semaphore(0));
		}

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new RawEcho(), "/raw");
			registry.addHandler(new RawEcho(), "/sockjs").withSockJS();
		}

	}

	static class RawEcho extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		String echo(String message) {
			return message;
		}

	}

	/** Turns of the session that is held: those that have begun, and that may end. */
	record Turns(Semaphore begun, Semaphore over) {

	}

	@WebSocketEndpoint("/held")
	static class Held extends ManagedSession {

		private final Turns turns;

		Held(Turns turns) {
			this.turns = turns;
		}

		@OnMessage
		String echo(String message) throws InterruptedException {
			this.turns.begun().release();
			this.turns.over().acquire();
			return message;
		}

	}

}
