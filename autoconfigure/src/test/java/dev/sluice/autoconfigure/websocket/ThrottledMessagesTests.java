package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.annotation.Throttled;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** Limited methods that handle messages, on real sockets and on a settable clock. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ThrottledMessagesTests {

	@LocalServerPort
	private int port;

	@Autowired
	private AtomicLong nanoTime;

	@Test
	void eachSessionHasItsOwnLimitAndIsAdmittedAgainAfterRetryAfter() throws InterruptedException {
		try (SocketClient client = connect("/session"); SocketClient other = connect("/session")) {
			send(client, 3);
			assertThat(client.next(3)).containsExactly("1", "2",
					"{\"type\":\"throttled\",\"resource\":\"commands\",\"retryAfter\":0.7}");
			send(other, 1);
			assertThat(other.next()).isEqualTo("1");
			this.nanoTime.addAndGet(699_000_000);
			send(client, 1);
			assertThat(client.next())
				.isEqualTo("{\"type\":\"throttled\",\"resource\":\"commands\",\"retryAfter\":0.001}");
			this.nanoTime.addAndGet(1_000_000);
			send(client, 1);
			assertThat(client.next()).isEqualTo("3");
		}
	}

	@Test
	void aMethodForEveryMessageIsCountedOnce() throws InterruptedException {
		try (SocketClient client = connect("/every")) {
			send(client, 3);
			assertThat(client.next(3)).satisfiesExactly((first) -> assertThat(first).isEqualTo("handled"),
					(second) -> assertThat(second).isEqualTo("handled"),
					(third) -> assertThat(third).startsWith("{\"type\":\"throttled\""));
		}
	}

	@Test
	void aTypedSessionsMethodIsLimitedToo() throws InterruptedException {
		try (SocketClient client = connect("/typed")) {
			send(client, 3);
			assertThat(client.next(3)).satisfiesExactly((first) -> assertThat(first).isEqualTo("typed"),
					(second) -> assertThat(second).isEqualTo("typed"),
					(third) -> assertThat(third).startsWith("{\"type\":\"throttled\",\"resource\":\"commands\""));
		}
	}

	@Test
	void aLimitWithinAHandlerIsAnsweredLikeItsOwn() throws InterruptedException {
		try (SocketClient client = connect("/nested")) {
			send(client, 3);
			assertThat(client.next(3)).satisfiesExactly((first) -> assertThat(first).isEqualTo("served"),
					(second) -> assertThat(second).isEqualTo("served"),
					(third) -> assertThat(third).startsWith("{\"type\":\"throttled\",\"resource\":\"service\""));
		}
	}

	@Test
	void whereASubProtocolWasAgreedNoFrameIsSent() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/protocol", "http://localhost:" + this.port, "chat")) {
			send(client, 3);
			assertThat(client.next(2)).containsExactly("1", "2");
			this.nanoTime.addAndGet(1_000_000_000);
			send(client, 1);
			assertThat(client.next()).isEqualTo("3");
		}
	}

	@Test
	void aTypedSessionWithASubProtocolIsAnsweredWithTheFrame() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed", (handshake) -> handshake.subprotocols("v2"))) {
			send(client, 3);
			assertThat(client.next(3)).satisfiesExactly((first) -> assertThat(first).isEqualTo("typed v2"),
					(second) -> assertThat(second).isEqualTo("typed v2"),
					(third) -> assertThat(third).startsWith("{\"type\":\"throttled\",\"resource\":\"commands\""));
		}
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	private static void send(SocketClient client, int messages) {
		for (int i = 0; i < messages; i++) {
			client.send("message");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ TypedSession.class, RecentTypedSession.class, LimitedService.class, EveryHandler.class,
			SessionHandler.class })
	static class Application {

		@Bean
		static AtomicLong nanoTime() {
			return new AtomicLong();
		}

		@Bean
		static ThrottlingManager throttlingManager(AtomicLong nanoTime) {
			ThrottlingManager manager = ThrottlingManager.builder().clock(nanoTime::get).build();
			manager.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofMillis(700)));
			manager.addOrUpdate("every", Limit.slidingLog(2, Duration.ofHours(1)));
			manager.addOrUpdate("service", Limit.slidingLog(2, Duration.ofHours(1)));
			return manager;
		}

		@Bean
		WebSocketConfigurer handlers(SessionHandler session, EveryHandler every, LimitedService service) {
			return (registry) -> {
				DefaultHandshakeHandler chat = new DefaultHandshakeHandler();
				chat.setSupportedProtocols("chat");
				registry.addHandler(session, "/session").addHandler(every, "/every");
				registry.addHandler(new NestedHandler(service), "/nested");
				registry.addHandler(session, "/protocol").setHandshakeHandler(chat);
			};
		}

	}

	/** Numbers the messages that it is given. */
	static class SessionHandler extends TextWebSocketHandler {

		@Override
		@Throttled(value = "commands", key = "#session.id")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			int number = (int) session.getAttributes().getOrDefault("count", 0) + 1;
			session.getAttributes().put("count", number);
			session.sendMessage(new TextMessage(String.valueOf(number)));
		}

	}

	static class EveryHandler extends TextWebSocketHandler {

		@Override
		@Throttled("every")
		public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) throws Exception {
			session.sendMessage(new TextMessage("handled"));
		}

	}

	static class NestedHandler extends TextWebSocketHandler {

		private final LimitedService service;

		NestedHandler(LimitedService service) {
			this.service = service;
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(this.service.serve()));
		}

	}

	@Service
	static class LimitedService {

		@Throttled("service")
		String serve() {
			return "served";
		}

	}

	@WebSocketEndpoint("/typed")
	static class TypedSession extends ManagedSession {

		@OnMessage
		@Throttled(value = "commands", key = "#session.id")
		String handle(String text) {
			return "typed";
		}

	}

	@WebSocketEndpoint(path = "/typed", subProtocols = "v2")
	static class RecentTypedSession extends ManagedSession {

		@OnMessage
		@Throttled(value = "commands", key = "#session.id")
		String handle(String text) {
			return "typed v2";
		}

	}

}
