package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.Container;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.LevelResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
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
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a handler may rely on with plain Spring WebSocket, over real sockets. */
@Tag("sockets")
class HandlerContractTests {

	private static final int SESSIONS = 20;

	private static final int MESSAGES = 20;

	private ConfigurableApplicationContext context;

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void everyMessageIsHandledAndAnsweredBeforeTheCloseBehindIt() throws Exception {
		start();
		for (int i = 0; i < SESSIONS; i++) {
			SocketClient client = new SocketClient(port(), "/ack");
			IntStream.range(0, MESSAGES).forEach((message) -> client.send("message"));
			client.close();
			assertThat(client.closeCode()).isEqualTo(CloseStatus.NORMAL.getCode());
			if (answersComeBeforeTheClose()) {
				assertThat(client.next(MESSAGES)).containsOnly("ack");
			}
		}
		await().untilAsserted(() -> assertThat(handlers().saved).hasSize(SESSIONS * MESSAGES));
		assertThat(handlers().failures).isEmpty();
	}

	@Test
	void aHandlerWhoseSessionIsReadAheadGoesOnToItsEndThoughTheClientHasClosed() throws Exception {
		start("--test.levels=true");
		for (int i = 0; i < SESSIONS; i++) {
			SocketClient client = new SocketClient(port(), "/ack");
			IntStream.range(0, MESSAGES).forEach((message) -> client.send("message"));
			client.close();
		}
		await().untilAsserted(() -> assertThat(handlers().saved).hasSize(SESSIONS * MESSAGES));
		await().until(() -> inbound().snapshot(0).queues() == 0);
		assertThat(handlers().failures).isEmpty();
	}

	@Test
	void aClientThatClosesAtOnceIsWelcomedAndMissed() throws Exception {
		start();
		for (int i = 0; i < SESSIONS; i++) {
			SocketClient client = new SocketClient(port(), "/welcome");
			client.close();
			if (answersComeBeforeTheClose()) {
				assertThat(client.next()).isEqualTo("welcome");
			}
		}
		await().untilAsserted(() -> assertThat(handlers().saved).hasSize(SESSIONS));
		assertThat(handlers().failures).isEmpty();
	}

	@Test
	void aHandlerMaySendMuchMoreAtOnceThanMayWait() throws Exception {
		start();
		try (SocketClient client = new SocketClient(port(), "/burst")) {
			client.send("10000");
			for (int i = 0; i < 10_000; i++) {
				assertThat(client.next()).hasSize(100).startsWith(i + " ");
			}
		}
	}

	@Test
	void aLargeMessageIsEchoedPartByPart() throws Exception {
		start();
		String large = "0123456789abcdef".repeat(largeMessage() / 16);
		try (SocketClient client = new SocketClient(port(), "/parts")) {
			client.send(large);
			assertThat(client.next()).isEqualTo(large);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/slow", "/sockjs/000/one/websocket" })
	void aBurstToASlowHandlerIsHandledToItsEnd(String path) throws Exception {
		start("--sluice.websocket.outbound.send-time-limit=300ms");
		boolean sockJs = path.startsWith("/sockjs");
		try (SocketClient client = new SocketClient(port(), path)) {
			IntStream.range(0, 200).forEach((i) -> client.send(sockJs ? "[\"" + i + "\"]" : String.valueOf(i)));
			if (sockJs) {
				assertThat(client.next()).isEqualTo("o");
			}
			for (int i = 0; i < 200; i++) {
				assertThat(client.next()).isEqualTo(sockJs ? "a[\"" + i + "\"]" : String.valueOf(i));
			}
		}
	}

	/** Whether the container can be kept from answering a close before all is sent. */
	private static boolean answersComeBeforeTheClose() {
		return Container.current() == Container.TOMCAT;
	}

	/**
	 * The characters of a message that the container takes in parts; Jetty takes no
	 * larger one unless it is told to.
	 */
	private static int largeMessage() {
		return (Container.current() == Container.TOMCAT) ? 1024 * 1024 : 64 * 1024;
	}

	private void start(String... arguments) {
		this.context = new SpringApplicationBuilder(Application.class).properties("server.port=0").run(arguments);
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	private Handlers handlers() {
		return this.context.getBean(Handlers.class);
	}

	private SequentialLeveledTaskExecutor inbound() {
		return this.context.getBean(SequentialLeveledTaskExecutor.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		@Bean
		static Handlers handlers() {
			return new Handlers();
		}

		@Bean
		@ConditionalOnBooleanProperty("test.levels")
		LevelResolver levels() {
			return (session, message) -> null;
		}

		@Bean
		WebSocketConfigurer configurer(Handlers handlers) {
			return (registry) -> {
				registry.addHandler(handlers.new Ack(), "/ack");
				registry.addHandler(handlers.new Welcome(), "/welcome");
				registry.addHandler(new Burst(), "/burst");
				registry.addHandler(new Parts(), "/parts");
				registry.addHandler(new Slow(), "/slow");
				registry.addHandler(new Slow(), "/sockjs").withSockJS();
			};
		}

	}

	/** What the handlers did. */
	static class Handlers {

		private final Queue<String> saved = new ConcurrentLinkedQueue<>();

		private final Collection<Exception> failures = new ConcurrentLinkedQueue<>();

		private void acknowledge(WebSocketSession session, String answer) throws IOException {
			try {
				session.sendMessage(new TextMessage(answer));
				this.saved.add(answer);
			}
			catch (IOException | RuntimeException ex) {
				this.failures.add(ex);
				throw ex;
			}
		}

		class Ack extends TextWebSocketHandler {

			@Override
			protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
				acknowledge(session, "ack");
			}

		}

		class Welcome extends TextWebSocketHandler {

			@Override
			public void afterConnectionEstablished(WebSocketSession session) throws Exception {
				acknowledge(session, "welcome");
			}

		}

	}

	/** Answers with as many messages as it is told. */
	static class Burst extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			for (int i = 0; i < Integer.parseInt(message.getPayload()); i++) {
				session.sendMessage(new TextMessage("%-100s".formatted(i + " ")));
			}
		}

	}

	/** Answers with each part of a message. */
	static class Parts extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

		@Override
		public boolean supportsPartialMessages() {
			return true;
		}

	}

	/** Takes 5 ms for an answer. */
	static class Slow extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			assertThat(new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS)).isFalse();
			session.sendMessage(message);
		}

	}

}
