package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.BeforeEach;
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
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.CloseStatus;
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
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** The security context of those who handle messages is the principal of the session. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.throttles.rare.limit=1", "sluice.throttles.rare.period=200ms" })
@ExtendWith(OutputCaptureExtension.class)
class SecuredHandlersTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Vault vault;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@Autowired
	private WebSocketSessionManager sessions;

	@BeforeEach
	void forgetSessionsOfOtherTests() {
		await().until(() -> this.inbound.snapshot(0).queues() == 0);
		this.vault.forget();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw", "/waiting" })
	void handlersAreAuthenticatedFromTheFirstCallbackToTheLast(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("one");
			client.send("two");
			assertThat(client.next(2)).containsExactly("alice one", "alice two");
		}
		assertThat(this.vault.next()).isEqualTo("alice opens");
		assertThat(this.vault.next()).isEqualTo("alice closes");
	}

	@Test
	void errorOfAStageIsHandledByThePrincipalOnWhicheverThread() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			assertThat(this.vault.next()).isEqualTo("alice opens");
			client.sendBinary(new byte[1]);
			assertThat(this.vault.next()).isEqualTo("alice fails");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/app/secret", "/app/rare" })
	void handlersOfStompAreAuthenticated(String destination) throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/user/queue/secrets");
			client.send(destination, "one");
			client.send(destination, "two");
			assertThat(client.next(2)).containsExactly("alice one", "alice two");
		}
	}

	@Test
	void anonymousClientIsNotAuthenticated() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/raw?anonymous")) {
			client.send("one");
			assertThat(client.closeCode()).isEqualTo(CloseStatus.SERVER_ERROR.getCode());
		}
	}

	@Test
	void messagesThatAreDeniedOrFailFillNoLog(CapturedOutput output) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/failing")) {
			for (int i = 0; i < 50; i++) {
				client.send("{\"type\":\"denied\"}");
				client.send("{\"type\":\"fails\"}");
			}
			assertThat(client.next(100)).allMatch((answer) -> answer.contains("\"error\""));
		}
		assertThat(output).containsOnlyOnce("AuthorizationDeniedException: ")
			.containsOnlyOnce("IllegalStateException: expected");
		assertThat(output.toString().lines().filter((line) -> line.contains("ERROR"))).hasSize(2);
	}

	@Test
	void handshakeFromAnotherOriginIsLogged(CapturedOutput output) {
		for (String path : new String[] { "/stomp", "/sockjs/websocket" }) {
			for (int i = 0; i < 5; i++) {
				assertThatException()
					.isThrownBy(() -> new SocketClient(this.port, path, "https://other.example").close());
			}
			assertThat(output).containsOnlyOnce("https://other.example at " + path);
		}
	}

	@Test
	void methodOfASessionThatOthersCallIsLimited() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/failing")) {
			Failing session = await()
				.until(() -> this.sessions.find(Failing.class, (open) -> true), (open) -> open.size() == 1)
				.get(0);
			assertThat(session.limited()).isEqualTo("once");
			assertThatException().isThrownBy(session::limited).isInstanceOf(ThrottledException.class);
			client.send("{\"type\":\"other\"}");
			assertThat(client.next()).contains("unknown-type");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/cors", "/stomp-cors" })
	void requestOfSockJsFromAnotherOriginIsLogged(String path, CapturedOutput output) throws Exception {
		for (int i = 0; i < 5; i++) {
			assertThat(requestInfo(path, "https://other.example")).isEqualTo(403);
		}
		assertThat(requestInfo(path, "https://own.example")).isEqualTo(200);
		assertThat(output).containsOnlyOnce("https://other.example at " + path + "/info")
			.contains("'setAllowedOrigins'")
			.doesNotContain("https://own.example at");
	}

	private int requestInfo(String path, String origin) throws Exception {
		URI uri = URI.create("http://localhost:" + this.port + path + "/info");
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).header("Origin", origin).build(), BodyHandlers.discarding())
			.statusCode();
	}

	@Test
	void workersKeepNothingOfIt() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			client.send("one");
			client.next();
		}
		for (int i = 0; i < 20; i++) {
			assertThat(this.inbound.submit("any" + i, Level.NORMAL,
					() -> String.valueOf(SecurityContextHolder.getContext().getAuthentication())))
				.succeedsWithin(SocketClient.PATIENCE)
				.isEqualTo("null");
			this.inbound.removeQueue("any" + i);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableMethodSecurity
	@EnableWebSocket
	@EnableWebSocketMessageBroker
	@Import({ Vault.class, Typed.class, Failing.class, Secrets.class })
	static class Application implements WebSocketConfigurer, WebSocketMessageBrokerConfigurer {

		private final Vault vault;

		Application(Vault vault) {
			this.vault = vault;
		}

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Raw(this.vault), "/raw")
				.addHandler(new Waiting(this.vault), "/waiting")
				.setHandshakeHandler(alice());
			registry.addHandler(new Raw(this.vault), "/cors").setAllowedOrigins("https://own.example").withSockJS();
		}

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp").setHandshakeHandler(alice());
			registry.addEndpoint("/stomp-cors").setAllowedOrigins("https://own.example").withSockJS();
			registry.addEndpoint("/sockjs").setHandshakeHandler(alice()).withSockJS().setSuppressCors(true);
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/queue", "/topic");
			registry.setApplicationDestinationPrefixes("/app");
		}

		@Bean
		static DefaultHandshakeHandler alice() {
			return new DefaultHandshakeHandler() {
				@Override
				protected Principal determineUser(ServerHttpRequest request, WebSocketHandler wsHandler,
						Map<String, Object> attributes) {
					return (request.getURI().getQuery() != null) ? null
							: new TestingAuthenticationToken("alice", "secret", "ROLE_USER");
				}
			};
		}

	}

	static class Vault {

		private final LinkedBlockingQueue<String> callbacks = new LinkedBlockingQueue<>();

		@PreAuthorize("isAuthenticated()")
		public String open(String what) {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			return user.getName() + " " + what;
		}

		public void forget() {
			this.callbacks.clear();
		}

		public String next() throws InterruptedException {
			return this.callbacks.poll(10, TimeUnit.SECONDS);
		}

		public void note(String what) {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			this.callbacks.add(((user != null) ? user.getName() : null) + " " + what);
		}

	}

	@WebSocketEndpoint("/failing")
	static class Failing extends ManagedSession {

		@OnMessage("denied")
		@PreAuthorize("hasRole('ADMIN')")
		void denied() {
		}

		@OnMessage("fails")
		void fails() {
			throw new IllegalStateException("expected");
		}

		@Throttled(value = "others", limit = 1, period = "1h")
		public String limited() {
			return "once";
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		private final Vault vault;

		Typed(Vault vault) {
			this.vault = vault;
		}

		@Override
		protected void onOpen() {
			this.vault.note("opens");
		}

		@OnMessage
		@PreAuthorize("hasRole('USER')")
		String text(String text) {
			return this.vault.open(text);
		}

		@OnMessage
		CompletableFuture<String> binary(byte[] bytes) {
			return new CompletableFuture<String>().orTimeout(10, TimeUnit.MILLISECONDS);
		}

		@Override
		protected void onError(Throwable error) {
			this.vault.note("fails");
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.vault.note("closes");
		}

	}

	static class Raw extends TextWebSocketHandler {

		private final Vault vault;

		Raw(Vault vault) {
			this.vault = vault;
		}

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			this.vault.note("opens");
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(this.vault.open(message.getPayload())));
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			this.vault.note("closes");
		}

	}

	static class Waiting extends Raw {

		Waiting(Vault vault) {
			super(vault);
		}

		@Override
		@Throttled("rare")
		@WhenThrottled(action = Action.WAIT, maxWait = "10s")
		public void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			super.handleTextMessage(session, message);
		}

	}

	@Controller
	static class Secrets {

		private final Vault vault;

		Secrets(Vault vault) {
			this.vault = vault;
		}

		@MessageMapping("/secret")
		@SendToUser("/queue/secrets")
		@PreAuthorize("isAuthenticated()")
		public String secret(String text) {
			return this.vault.open(text);
		}

		@MessageMapping("/rare")
		@SendToUser("/queue/secrets")
		@Throttled("rare")
		@WhenThrottled(action = Action.WAIT, maxWait = "10s")
		public String rare(String text) {
			return this.vault.open(text);
		}

	}

}
