package dev.sluice.autoconfigure.websocket;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.InvalidMessageException;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionOpenedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an application may say about messages and sessions by beans of its own. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.throttles.rare.limit=1", "sluice.throttles.rare.period=1h" })
@ExtendWith(OutputCaptureExtension.class)
class MessageHooksTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Gate gate;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@Autowired
	private Events events;

	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed" })
	void theResolverTellsWhichMessagesAreUrgent(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("first");
			await().until(this.gate.permits::hasQueuedThreads);
			client.send("second");
			client.send("urgent");
			await().until(
					() -> this.inbound.snapshot(0).waitingHigh() == 1 && this.inbound.snapshot(0).waitingNormal() == 1);
			this.gate.permits.release(3);
			assertThat(client.next(3)).containsExactly("first", "urgent", "second");
		}
	}

	@Test
	void theErrorHandlerChoosesWhatAClientIsTold() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/json")) {
			client.send("{\"type\":\"rare\"}");
			assertThat(client.next()).isEqualTo("here");
			client.send("{\"type\":\"rare\"}");
			assertThat(client.next()).isEqualTo("Too often: rare");
			client.send("{\"type\":\"none\"}");
			assertThat(client.next()).isEqualTo("Invalid: unknown-type");
			client.send("{");
			assertThat(client.next()).isEqualTo("Invalid: unreadable");
			client.send("{\"type\":\"broken\"}");
			assertThat(client.next()).isEqualTo("Failed: expected");
			client.send("{\"type\":\"third\"}");
			assertThat(client.next()).isEqualTo("Third");
		}
	}

	@Test
	void whatNoErrorHandlerKnowsIsAnsweredWithTheStandardFrameAndDoesNotFillTheLog(CapturedOutput output)
			throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/json")) {
			for (int i = 0; i < 100; i++) {
				client.send("{\"type\":\"unknown\"}");
				assertThat(client.next()).isEqualTo("{\"type\":\"error\",\"reason\":\"failed\"}");
			}
		}
		assertThat(output).containsOnlyOnce("Failed to handle message 'unknown' in Json session '")
			.containsOnlyOnce("java.lang.UnsupportedOperationException: unexpected");
	}

	@Test
	void whatAnErrorHandlerAnswersIsNoErrorInTheLog(CapturedOutput output) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/json")) {
			client.send("{\"type\":\"silent\"}");
			client.send("{\"type\":\"broken\"}");
			assertThat(client.next()).isEqualTo("Failed: expected");
		}
		assertThat(output).doesNotContain("Failed to handle");
	}

	@Test
	void whatIsNothingIsNoAnswer() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/json")) {
			client.send("{\"type\":\"optional\"}");
			client.send("{\"type\":\"optional\",\"text\":\"some\"}");
			client.send("{\"type\":\"dropped\"}");
			client.send("{\"type\":\"dropped\"}");
			client.send("{\"type\":\"optional\",\"text\":\"last\"}");
			assertThat(client.next(3)).containsExactly("some", "taken", "last");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed" })
	void sessionsThatOpenAndCloseAreEvents(String path) throws InterruptedException {
		this.events.awaitAllClosed();
		this.events.seen.clear();
		SocketClient client = new SocketClient(this.port, path);
		await().untilAsserted(() -> assertThat(this.events.seen).hasSize(1));
		client.close();
		await().untilAsserted(() -> assertThat(this.events.seen).hasSize(2));
		WebSocketSessionOpenedEvent opened = (WebSocketSessionOpenedEvent) this.events.seen.take();
		WebSocketSessionClosedEvent closed = (WebSocketSessionClosedEvent) this.events.seen.take();
		assertThat(closed.session()).isSameAs(opened.session());
		assertThat(closed.status().getCode()).isEqualTo(1000);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ Gate.class, Events.class, Typed.class, Json.class })
	static class Application {

		@Bean
		WebSocketConfigurer handlers(Gate gate) {
			return (registry) -> registry.addHandler(new Raw(gate), "/raw");
		}

		@Bean
		LevelResolver urgent() {
			return (session, message) -> message.getPayload().equals("urgent") ? Level.HIGH : null;
		}

		@Bean
		@Order(2)
		MessageErrorHandler failing() {
			return (session, error) -> {
				throw new IllegalStateException("of the handler");
			};
		}

		@Bean
		@Order(3)
		MessageErrorHandler third() {
			return (session, error) -> "third".equals(error.getMessage()) ? "Third" : null;
		}

		@Bean
		@Order(1)
		MessageErrorHandler answers() {
			return (session, error) -> {
				if (error instanceof UnsupportedOperationException) {
					return error.getMessage().equals("silent") ? MessageErrorHandler.NO_ANSWER : null;
				}
				if (error instanceof ThrottledException throttled) {
					return "Too often: " + throttled.resource();
				}
				return (error instanceof InvalidMessageException invalid) ? "Invalid: " + invalid.reason()
						: "Failed: " + error.getMessage();
			};
		}

	}

	static class Gate {

		private final Semaphore permits = new Semaphore(0);

	}

	static class Events {

		private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

		private final AtomicInteger open = new AtomicInteger();

		/** Sessions of other tests may be about to end. */
		void awaitAllClosed() {
			await().until(() -> this.open.get() == 0);
		}

		@EventListener({ WebSocketSessionOpenedEvent.class, WebSocketSessionClosedEvent.class })
		void note(Object event) {
			this.seen.add(event);
			this.open.addAndGet((event instanceof WebSocketSessionOpenedEvent) ? 1 : -1);
		}

	}

	static class Raw extends TextWebSocketHandler {

		private final Gate gate;

		Raw(Gate gate) {
			this.gate = gate;
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			this.gate.permits.acquire();
			session.sendMessage(message);
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		private final Gate gate;

		Typed(Gate gate) {
			this.gate = gate;
		}

		@OnMessage
		String echo(String message) throws InterruptedException {
			this.gate.permits.acquire();
			return message;
		}

	}

	@WebSocketEndpoint("/json")
	static class Json extends ManagedSession {

		@OnMessage("rare")
		@Throttled("rare")
		String rare() {
			return "here";
		}

		@OnMessage("unknown")
		String unknown() {
			throw new UnsupportedOperationException("unexpected");
		}

		@OnMessage("third")
		String third() {
			throw new UnsupportedOperationException("third");
		}

		@OnMessage("silent")
		String silent() {
			throw new UnsupportedOperationException("silent");
		}

		@OnMessage("optional")
		Optional<String> optional(Map<String, String> message) {
			return Optional.ofNullable(message.get("text"));
		}

		@OnMessage("dropped")
		@Throttled(value = "drops", limit = 1, period = "1h")
		@WhenThrottled(action = Action.DROP)
		String dropped() {
			return "taken";
		}

		@OnMessage("broken")
		List<String> broken() {
			throw new IllegalStateException("expected");
		}

	}

}
