package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of messages that find no permit, by {@code @WhenThrottled}, on real
 * sockets: of typed sessions and of handlers alike.
 */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.execution.workers=2")
class WaitingMessagesTests {

	@LocalServerPort
	private int port;

	@Autowired
	private ThrottlingManager manager;

	@Autowired
	private Journal journal;

	@BeforeEach
	void forget() {
		this.journal.entries().clear();
		this.manager.get("once").forget("");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed/wait", "/handler/wait", "/handler/both" })
	void aMessageThatWaitsParksItsSessionInOrderAndNoThread(String path) throws InterruptedException {
		Permit held = hold();
		List<SocketClient> parked = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			SocketClient client = connect(path);
			client.send("first");
			client.send("second");
			parked.add(client);
		}
		awaitWaiting(8);
		try (SocketClient other = connect("/typed/free")) {
			other.send("question");
			assertThat(other.next()).isEqualTo("answer to question");
		}
		assertThat(this.journal.entries()).isEmpty();
		held.close();
		for (SocketClient client : parked) {
			assertThat(client.next(2)).containsExactly("done first", "done second");
			client.close();
		}
		Awaitility.await().until(() -> Collections.frequency(this.journal.entries(), "closed") == parked.size());
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed/retry", "/handler/retry" })
	void aMessageThatIsToBeTriedAgainParksItsSessionInOrderAndNoThread(String path) throws InterruptedException {
		Permit held = hold();
		long before = this.manager.get("m").snapshot(0).rejected();
		List<SocketClient> parked = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			SocketClient client = connect(path);
			client.send("first");
			client.send("second");
			parked.add(client);
		}
		Awaitility.await().until(() -> this.manager.get("m").snapshot(0).rejected() - before > 8);
		assertThat(this.manager.get("m").state("").waiting()).isZero();
		try (SocketClient other = connect("/typed/free")) {
			other.send("question");
			assertThat(other.next()).isEqualTo("answer to question");
		}
		held.close();
		for (SocketClient client : parked) {
			assertThat(client.next(2)).containsExactly("done first", "done second");
			client.close();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed/wait", "/handler/wait", "/handler/both" })
	void aSessionThatEndsLeavesTheLine(String path) {
		try (Permit held = hold()) {
			SocketClient client = connect(path);
			client.send("first");
			client.send("second");
			awaitWaiting(1);
			client.close();
			Awaitility.await().until(() -> this.journal.entries().contains("closed"));
			assertThat(this.manager.get("m").state("").waiting()).isZero();
			assertThat(held).isNotNull();
		}
		assertThat(this.journal.entries()).containsExactly("closed");
		assertThat(this.manager.get("m").state("").used()).isZero();
		assertThat(this.manager.get("all").state("").used()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed/brief", "/handler/brief" })
	void aMessageWhoseTimeDoesNotSufficeIsAnsweredInOrder(String path) throws InterruptedException {
		try (SocketClient client = connect(path)) {
			client.send("first");
			client.send("second");
			assertThat(client.next()).isEqualTo("done first");
			assertThat(client.next()).startsWith("{\"type\":\"throttled\",\"resource\":\"once\",\"retryAfter\":");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed/drop", "/handler/drop" })
	void aMessageThatIsDroppedHasNoAnswer(String path) throws InterruptedException {
		long before = rejected();
		try (SocketClient client = connect(path)) {
			client.send("first");
			client.send("second");
			assertThat(client.next()).contains("done first");
			Awaitility.await().until(() -> rejected() > before);
			this.manager.get("once").forget("");
			client.send("third");
			assertThat(client.next()).contains("done third");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed/fallback", "/handler/fallback" })
	void aFallbackAnswersWithTheSameArguments(String path) throws InterruptedException {
		try (SocketClient client = connect(path)) {
			client.send("first");
			client.send("second");
			assertThat(client.next(2)).containsExactly("done first", "later second once");
		}
	}

	private long rejected() {
		return this.manager.get("once").snapshot(0).rejected();
	}

	private Permit hold() {
		return this.manager.tryAcquire(AcquireRequest.of("m")).permit();
	}

	private void awaitWaiting(int sessions) {
		Awaitility.await().until(() -> this.manager.get("m").state("").waiting() == sessions);
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ WaitSession.class, RetrySession.class, RetryHandler.class, BriefSession.class, DropSession.class,
			FallbackSession.class, FreeSession.class, WaitHandler.class, BothHandler.class, BriefHandler.class,
			DropHandler.class, FallbackHandler.class })
	static class Application {

		@Bean
		static Journal journal() {
			return new Journal(new ConcurrentLinkedQueue<>());
		}

		@Bean
		WebSocketConfigurer handlers(WaitHandler wait, RetryHandler retry, BothHandler both, BriefHandler brief,
				DropHandler drop, FallbackHandler fallback) {
			return (registry) -> registry.addHandler(wait, "/handler/wait")
				.addHandler(retry, "/handler/retry")
				.addHandler(both, "/handler/both")
				.addHandler(brief, "/handler/brief")
				.addHandler(drop, "/handler/drop")
				.addHandler(fallback, "/handler/fallback");
		}

	}

	/** What happened, in its order. */
	record Journal(Queue<String> entries) {
	}

	@WebSocketEndpoint("/typed/wait")
	static class WaitSession extends ManagedSession {

		private final Journal journal;

		WaitSession(Journal journal) {
			this.journal = journal;
		}

		@OnMessage
		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String handle(String text) {
			this.journal.entries().add(text);
			return "done " + text;
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.journal.entries().add("closed");
		}

	}

	@WebSocketEndpoint("/typed/retry")
	static class RetrySession extends ManagedSession {

		@OnMessage
		@Mutex("m")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		String handle(String text) {
			return "done " + text;
		}

	}

	@WebSocketEndpoint("/typed/brief")
	static class BriefSession extends ManagedSession {

		@OnMessage
		@Throttled(value = "once", limit = 1, period = "1h")
		@WhenThrottled(action = Action.WAIT, maxWait = "1ms")
		String handle(String text) {
			return "done " + text;
		}

	}

	@WebSocketEndpoint("/typed/drop")
	static class DropSession extends ManagedSession {

		@OnMessage
		@Throttled("once")
		@WhenThrottled(action = Action.DROP)
		List<String> handle(String text) {
			return List.of("done " + text);
		}

	}

	@WebSocketEndpoint("/typed/fallback")
	static class FallbackSession extends ManagedSession {

		@OnMessage
		@Throttled("once")
		@WhenThrottled(fallback = "later")
		String handle(String text) {
			return "done " + text;
		}

		private String later(String text, ThrottledException rejection) {
			return "later " + text + ' ' + rejection.resource();
		}

	}

	@WebSocketEndpoint("/typed/free")
	static class FreeSession extends ManagedSession {

		@OnMessage
		String handle(String text) {
			return "answer to " + text;
		}

	}

	/** Answers each message. */
	static class AnsweringHandler extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage("done " + message.getPayload()));
		}

	}

	/** Answers each message when its turn comes. */
	static class WaitingHandler extends AnsweringHandler {

		private final Journal journal;

		WaitingHandler(Journal journal) {
			this.journal = journal;
		}

		@Override
		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			this.journal.entries().add(message.getPayload());
			super.handleTextMessage(session, message);
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			this.journal.entries().add("closed");
		}

	}

	static class WaitHandler extends WaitingHandler {

		WaitHandler(Journal journal) {
			super(journal);
		}

	}

	/** Its messages pass two gates, of which the second makes them wait. */
	static class BothHandler extends WaitingHandler {

		BothHandler(Journal journal) {
			super(journal);
		}

		@Override
		@Semaphore(value = "all", limit = 100)
		public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) throws Exception {
			super.handleMessage(session, message);
		}

	}

	static class RetryHandler extends AnsweringHandler {

		@Override
		@Mutex("m")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			super.handleTextMessage(session, message);
		}

	}

	static class BriefHandler extends AnsweringHandler {

		@Override
		@Throttled("once")
		@WhenThrottled(action = Action.WAIT, maxWait = "1ms")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			super.handleTextMessage(session, message);
		}

	}

	static class DropHandler extends AnsweringHandler {

		@Override
		@Throttled("once")
		@WhenThrottled(action = Action.DROP)
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			super.handleTextMessage(session, message);
		}

	}

	static class FallbackHandler extends AnsweringHandler {

		@Override
		@Throttled("once")
		@WhenThrottled(fallback = "later")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			super.handleTextMessage(session, message);
		}

		private void later(WebSocketSession session, TextMessage message, ThrottledException rejection)
				throws IOException {
			session.sendMessage(new TextMessage("later " + message.getPayload() + ' ' + rejection.resource()));
		}

	}

}
