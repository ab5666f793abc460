package dev.sluice.autoconfigure.context;

import java.io.IOException;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** What a thread knows when it brings a message, and another when it handles it. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.throttles.rare.limit=1", "sluice.throttles.rare.period=200ms" })
class ContextTests {

	private static final ObservationRegistry OBSERVATIONS = ObservationRegistry.create();

	static {
		OBSERVATIONS.observationConfig().observationHandler((context) -> true);
	}

	@LocalServerPort
	private int port;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@AfterEach
	void forget() {
		know("");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed", "/waiting" })
	void whatTheThreadThatBringsAMessageKnowsIsKnownWhereItIsHandled(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("one");
			client.send("two");
			client.send("");
			assertThat(client.next(3)).containsExactly("one one one", "two two two", "null null null");
		}
	}

	@Test
	void theLoggingContextFollowsAMessageOfStomp() throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/user/queue/known");
			client.send("/app/known", "hello");
			assertThat(client.next()).isEqualTo("/app/known");
		}
	}

	@Test
	void theLoggingContextFollowsAMessageOfStompThatWaits() throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/user/queue/known");
			client.send("/app/rare", "first");
			client.send("/app/rare", "second");
			assertThat(client.next(2)).containsExactly("/app/rare", "/app/rare");
		}
	}

	@Test
	void whatOneWhoJoinsASessionsTurnKnowsFollowsHim() {
		know("me");
		assertThat(this.inbound.submit("any", Level.NORMAL, ContextTests::known)).succeedsWithin(SocketClient.PATIENCE)
			.isEqualTo("me me me");
		know("");
		assertThat(this.inbound.submit("any", Level.NORMAL, ContextTests::known)).succeedsWithin(SocketClient.PATIENCE)
			.isEqualTo("null null null");
	}

	private static void know(String name) {
		Observation.Scope scope = OBSERVATIONS.getCurrentObservationScope();
		if (scope != null) {
			scope.close();
		}
		MDC.clear();
		SecurityContextHolder.clearContext();
		if (!name.isEmpty()) {
			SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(name, "secret"));
			Observation.start(name, OBSERVATIONS).openScope();
			MDC.put("name", name);
		}
	}

	private static String known() {
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		Observation observation = OBSERVATIONS.getCurrentObservation();
		return MDC.get("name") + " " + ((user != null) ? user.getName() : null) + " "
				+ ((observation != null) ? observation.getContext().getName() : null);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Typed.class, Greeter.class })
	static class Application implements WebSocketConfigurer, WebSocketMessageBrokerConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Raw(), "/raw").addHandler(new Waiting(), "/waiting");
		}

		@Override
		public void configureClientInboundChannel(ChannelRegistration registration) {
			registration.interceptors(new ChannelInterceptor() {
				@Override
				public Message<?> preSend(Message<?> message, MessageChannel channel) {
					MDC.put("destination", String.valueOf(message.getHeaders().get("simpDestination")));
					return message;
				}
			});
		}

		/** Is asked on the thread that brings the message. */
		@Bean
		LevelResolver knowing() {
			return (session, message) -> {
				know(((TextMessage) message).getPayload());
				return null;
			};
		}

	}

	static class Raw extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(known()));
		}

	}

	static class Waiting extends TextWebSocketHandler {

		@Override
		@Throttled("rare")
		@WhenThrottled(action = Action.WAIT, maxWait = "10s")
		public void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(known()));
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		String text(String message) {
			return known();
		}

	}

	@Controller
	static class Greeter {

		@MessageMapping("/known")
		@SendToUser("/queue/known")
		String known() {
			return MDC.get("destination");
		}

		@MessageMapping("/rare")
		@SendToUser("/queue/known")
		@Throttled("rare")
		@WhenThrottled(action = Action.WAIT, maxWait = "10s")
		String rarelyKnown() {
			return MDC.get("destination");
		}

	}

}
