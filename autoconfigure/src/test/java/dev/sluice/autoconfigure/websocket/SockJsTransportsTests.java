package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.SockJsClient;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Sessions of SockJS over HTTP, on real connections. */
@Tag("sockets")
@Timeout(20)
class SockJsTransportsTests {

	/** More than a session of SockJS keeps between two requests. */
	private static final int MESSAGES = 300;

	private static ConfigurableApplicationContext shared;

	private ConfigurableApplicationContext context = shared;

	@BeforeAll
	static void startShared() {
		shared = start();
	}

	@AfterAll
	static void closeShared() {
		shared.close();
	}

	@AfterEach
	void abort() {
		if (this.context.isActive()) {
			sessions().abortAll();
			await().until(() -> sessions().count() == 0);
		}
	}

	@Test
	void aPollingClientGetsEveryMessageInOrderHoweverManyWait() throws IOException {
		try (SockJsClient client = client("/sockjs")) {
			assertThat(client.poll()).isEqualTo("o");
			List<CompletableFuture<Void>> sent = post(MESSAGES);
			List<String> received = new ArrayList<>();
			while (received.size() < MESSAGES) {
				received.addAll(client.pollMessages());
			}
			assertThat(received).isEqualTo(numbers(MESSAGES));
			assertThat(sent).allSatisfy((message) -> assertThat(message).succeedsWithin(Duration.ofSeconds(5)));
		}
	}

	@Test
	void aMessageIsSentWhenAPollTakesIt() throws IOException {
		try (SockJsClient client = client("/sockjs")) {
			assertThat(client.poll()).isEqualTo("o");
			List<CompletableFuture<Void>> sent = post(5);
			client.poll();
			assertThat(post(5)).noneMatch(CompletableFuture::isDone);
			assertThat(sent).allSatisfy((message) -> assertThat(message).succeedsWithin(Duration.ofSeconds(5)));
		}
	}

	@Test
	void aStreamingClientGetsEveryMessageInOrderOverAllItsRequests() throws IOException {
		try (SockJsClient client = client("/stream")) {
			client.stream();
			assertThat(client.nextFrame()).isEqualTo("o");
			post(MESSAGES);
			List<String> received = new ArrayList<>();
			while (received.size() < MESSAGES) {
				String frame = client.nextFrame();
				if (frame == null) {
					client.stream();
				}
				else {
					received.addAll(SockJsClient.messages(frame));
				}
			}
			assertThat(received).isEqualTo(numbers(MESSAGES));
		}
	}

	@Test
	void theMessagesOfAClientThatPollsNoMoreFailWithItsSession() throws IOException {
		try (SockJsClient client = client("/short")) {
			assertThat(client.poll()).isEqualTo("o");
			List<CompletableFuture<Void>> sent = post(MESSAGES);
			assertThat(sent).last().satisfies((last) -> assertThat(last).failsWithin(Duration.ofSeconds(10)));
			await().until(() -> sessions().count() == 0);
			await().until(() -> this.context.getBean("sluiceOutbound", SequentialLeveledTaskExecutor.class)
				.snapshot(0)
				.queues() == 0);
		}
	}

	@Test
	void aStopIsToldToClientsThatPollAndThatStream() throws Exception {
		this.context = start();
		try (SockJsClient polling = client("/sockjs");
				SockJsClient between = client("/sockjs");
				SockJsClient streaming = client("/sockjs")) {
			assertThat(polling.poll()).isEqualTo("o");
			assertThat(between.poll()).isEqualTo("o");
			streaming.stream();
			assertThat(streaming.nextFrame()).isEqualTo("o");
			polling.startPoll();
			Thread stop = new Thread(this.context::close);
			stop.start();
			assertThat(streaming.nextFrame()).isEqualTo("c[1001,\"Application is stopping\"]");
			assertThat(polling.endPoll()).isEqualTo("c[1001,\"Application is stopping\"]");
			assertThat(between.poll()).isEqualTo("c[1001,\"Application is stopping\"]");
			stop.join();
		}
	}

	@Test
	void aCloseWaitsForThePollThatTellsOfIt() throws IOException {
		try (SockJsClient client = client("/sockjs")) {
			assertThat(client.poll()).isEqualTo("o");
			ManagedSession session = session();
			session.post("last words");
			CompletableFuture<Void> closed = session.drainAndClose();
			assertThat(client.pollMessages()).containsExactly("last words");
			assertThat(client.poll()).isEqualTo("c[1000,\"\"]");
			assertThat(closed).succeedsWithin(Duration.ofSeconds(5));
		}
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Application.class).properties("server.port=0").run();
	}

	private List<CompletableFuture<Void>> post(int count) {
		ManagedSession session = session();
		return numbers(count).stream().map(session::post).toList();
	}

	private ManagedSession session() {
		return sessions().find(ManagedSession.class, ManagedSession::isOpen).iterator().next();
	}

	private static List<String> numbers(int count) {
		return IntStream.range(0, count).mapToObj(String::valueOf).toList();
	}

	private WebSocketSessionManager sessions() {
		return this.context.getBean(WebSocketSessionManager.class);
	}

	private SockJsClient client(String path) throws IOException {
		return new SockJsClient(((WebServerApplicationContext) this.context).getWebServer().getPort(), path);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Echo(), "/sockjs").withSockJS();
			registry.addHandler(new Echo(), "/short").withSockJS().setDisconnectDelay(500);
			registry.addHandler(new Echo(), "/stream").withSockJS().setStreamBytesLimit(200).setDisconnectDelay(60_000);
		}

	}

	static class Echo extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

}
