package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.WebSocketSessionManager;
import jakarta.websocket.Session;
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
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.handler.WebSocketSessionDecorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What handlers do with the container's own session, on real sockets. */
@Tag("tomcat")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Timeout(20)
class NativeSessionsTests {

	private static final int MESSAGES = 200;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private Seen seen;

	@ParameterizedTest
	@ValueSource(strings = { "/cleaning", "/sockjs/000/cleaning/websocket" })
	void whatCleaningUpReadsIsThereInLateMessagesAndAfterTheEnd(String path) {
		this.seen.start();
		try (SocketClient client = connect(path + "?room=7")) {
			client.send(path.startsWith("/sockjs") ? "[\"first\"]" : "first");
			client.send(path.startsWith("/sockjs") ? "[\"late\"]" : "late");
			await().untilAsserted(() -> assertThat(this.seen.of()).containsExactly("first room=7 [7] open"));
		}
		await().until(() -> this.sessions.count() == 0);
		this.seen.ended().countDown();
		await().until(() -> this.seen.of().size() == 3);
		assertThat(this.seen.of()).containsExactly("first room=7 [7] open", "late room=7 [7] open",
				"closed room=7 [7] open");
	}

	@Test
	void theSessionThatIsUnwrappedIsTheContainersOne() throws InterruptedException {
		try (SocketClient client = connect("/unwrapping")) {
			client.send("message");
			assertThat(client.next()).isEqualTo("true true true");
		}
	}

	@Test
	void aNativeSendBesideOursEndsNoSession() throws InterruptedException {
		try (SocketClient client = connect("/beside")) {
			client.send("go");
			List<String> received = client.next(2 * MESSAGES);
			assertThat(received).filteredOn("native"::equals).hasSize(MESSAGES);
			client.send("again");
			assertThat(client.next(2 * MESSAGES)).hasSize(2 * MESSAGES);
		}
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		@Bean
		Seen seen() {
			return new Seen();
		}

		/** Has sessions read ahead, so that messages are handled late. */
		@Bean
		LevelResolver levels() {
			return (session, message) -> null;
		}

		@Bean
		WebSocketConfigurer handlers(Seen seen) {
			return (registry) -> {
				registry.addHandler(new Cleaning(seen), "/cleaning");
				registry.addHandler(new Cleaning(seen), "/sockjs").withSockJS();
				registry.addHandler(new Unwrapping(), "/unwrapping");
				registry.addHandler(new Beside(), "/beside");
			};
		}

	}

	/** What a handler has seen of the container's session. */
	static class Seen {

		private final Queue<String> all = new ConcurrentLinkedQueue<>();

		private volatile CountDownLatch ended;

		void start() {
			this.all.clear();
			this.ended = new CountDownLatch(1);
		}

		CountDownLatch ended() {
			return this.ended;
		}

		List<String> of() {
			return List.copyOf(this.all);
		}

		void add(String when, WebSocketSession session) {
			Session container = (Session) ((NativeWebSocketSession) session).getNativeSession();
			this.all.add(when + ' ' + container.getQueryString() + ' ' + container.getRequestParameterMap().get("room")
					+ ' ' + container.getUserProperties().get("state"));
		}

	}

	static class Cleaning extends TextWebSocketHandler {

		private final Seen seen;

		Cleaning(Seen seen) {
			this.seen = seen;
		}

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			((NativeWebSocketSession) session).getNativeSession(Session.class).getUserProperties().put("state", "open");
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws InterruptedException {
			this.seen.add(message.getPayload(), session);
			assertThat(this.seen.ended().await(10, TimeUnit.SECONDS)).isTrue();
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			this.seen.add("closed", session);
		}

	}

	static class Unwrapping extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			WebSocketSession unwrapped = WebSocketSessionDecorator.unwrap(session);
			boolean standard = unwrapped instanceof StandardWebSocketSession;
			boolean same = ((NativeWebSocketSession) session)
				.getNativeSession(Session.class) == ((StandardWebSocketSession) unwrapped).getNativeSession();
			boolean open = ((StandardWebSocketSession) unwrapped).getNativeSession().isOpen();
			session.sendMessage(new TextMessage(standard + " " + same + ' ' + open));
		}

	}

	/** Sends by the container's session on one thread and by ours on another. */
	static class Beside extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			Session container = ((NativeWebSocketSession) session).getNativeSession(Session.class);
			Thread beside = new Thread(() -> IntStream.range(0, MESSAGES).forEach((i) -> sendNative(container)));
			beside.start();
			for (int i = 0; i < MESSAGES; i++) {
				session.sendMessage(new TextMessage("ours"));
			}
			beside.join();
		}

		private static void sendNative(Session container) {
			while (true) {
				try {
					container.getBasicRemote().sendText("native");
					return;
				}
				catch (IllegalStateException ex) {
					assertThat(container.isOpen()).isTrue();
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}

	}

}
