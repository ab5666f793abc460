package dev.sluice.autoconfigure.journal;

import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessageJournal;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the journal says of messages of each kind of session, and when it fails. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.journal.push-interval=10ms")
class JournalledMessagesTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Journal journal;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private SimpMessagingTemplate template;

	@Autowired
	private MeterRegistry meters;

	@Autowired
	private HealthIndicator sluiceHealthIndicator;

	@BeforeEach
	void empty() {
		await().until(() -> this.sessions.count() == 0);
		this.journal.written.clear();
	}

	@Test
	void theTypeOfMessagesOfTypedSessions() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			client.send("{\"type\":\"ask\"}");
			client.send("{\"type\":\"unknown\"}");
			client.next(2);
			this.sessions.postToAll(Map.of("type", "news", "text", "rain")).join();
			this.sessions.postToAll(new Price(3)).join();
			this.sessions.postToAll(List.of(1)).join();
			this.sessions.postToAll("text").join();
			assertThat(written(6)).extracting(SentMessage::type)
				.containsExactly("receipt", "error", "news", "price", null, null);
			assertThat(this.journal.written).allMatch((message) -> message.user() == null)
				.allMatch((message) -> message.destination() == null);
		}
	}

	@Test
	void theUserOfTheHandshakeOfARawSession() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/raw")) {
			client.send("{\"type\":\"ask\"}");
			assertThat(client.next()).isEqualTo("{\"type\":\"ask\"}");
			assertThat(written(1)).singleElement()
				.returns("ann", SentMessage::user)
				.returns(null, SentMessage::type)
				.returns(null, SentMessage::destination);
		}
	}

	@Test
	void theDestinationOfStompMessagesAndTheUserOfConnect() throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/topic/a:b");
			await().until(() -> {
				this.template.convertAndSend("/topic/a:b", "hello");
				return this.journal.written.stream().anyMatch(has("/topic/a:b"));
			});
			assertThat(client.next()).isEqualTo("hello");
			assertThat(this.journal.written).allMatch((message) -> "bob".equals(message.user()))
				.allMatch((message) -> message.type() == null)
				.first()
				.returns(null, SentMessage::destination);
		}
	}

	@Test
	void aJournalThatFailsIsCountedAndADetailOfTheHealth() throws InterruptedException {
		this.journal.failing = true;
		try (SocketClient client = new SocketClient(this.port, "/raw")) {
			client.send("hello");
			client.next();
			await().until(() -> this.meters.get("sluice.batch.pump")
				.tags("name", "journal", "outcome", "retried")
				.timer()
				.count() > 0);
			assertThat(health()).doesNotContain("consecutiveFailures=0").contains("journal={waiting=");
			this.journal.failing = false;
			await().untilAsserted(() -> assertThat(health()).contains("consecutiveFailures=0"));
		}
		finally {
			this.journal.failing = false;
		}
	}

	private String health() {
		var health = this.sluiceHealthIndicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		return health.getDetails().toString();
	}

	private List<SentMessage> written(int count) {
		await().until(() -> this.journal.written.size() >= count);
		return this.journal.written;
	}

	private static Predicate<SentMessage> has(String destination) {
		return (message) -> destination.equals(message.destination());
	}

	static class Journal implements SentMessageJournal {

		private final List<SentMessage> written = new CopyOnWriteArrayList<>();

		private volatile boolean failing;

		@Override
		public void write(List<SentMessage> messages) throws IOException {
			if (this.failing) {
				throw new IOException("expected");
			}
			this.written.addAll(messages);
		}

	}

	sealed interface Answer permits Receipt {

	}

	record Receipt(int number) implements Answer {

	}

	record Price(int amount) {

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage("ask")
		Answer ask() {
			return new Receipt(1);
		}

	}

	static class Raw extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@EnableWebSocketMessageBroker
	@Import({ Typed.class, Journal.class })
	static class Application implements WebSocketConfigurer, WebSocketMessageBrokerConfigurer {

		@Bean
		SimpleMeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Raw(), "/raw").setHandshakeHandler(new DefaultHandshakeHandler() {
				@Override
				protected @Nullable Principal determineUser(ServerHttpRequest request, WebSocketHandler handler,
						Map<String, Object> attributes) {
					return () -> "ann";
				}
			});
		}

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureClientInboundChannel(ChannelRegistration registration) {
			registration.interceptors(new ChannelInterceptor() {
				@Override
				public Message<?> preSend(Message<?> message, MessageChannel channel) {
					StompHeaderAccessor headers = MessageHeaderAccessor.getAccessor(message, StompHeaderAccessor.class);
					if (headers != null && headers.getCommand() == StompCommand.CONNECT) {
						headers.setUser(() -> "bob");
					}
					return message;
				}
			});
		}

	}

}
