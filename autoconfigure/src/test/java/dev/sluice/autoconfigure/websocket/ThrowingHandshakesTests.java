package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Handshakes and observations of the application that throw, over real sockets. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.websocket.heartbeat.interval=2s")
class ThrowingHandshakesTests {

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketDispatcher dispatcher;

	@Autowired
	private Faults faults;

	@AfterEach
	void recover() {
		this.faults.failing = null;
		this.dispatcher.shutdown().revoke();
	}

	@ParameterizedTest
	@CsvSource({ "BEFORE_HANDSHAKE, /raw", "BEFORE_HANDSHAKE, /sockjs/websocket", "AFTER_HANDSHAKE, /raw" })
	void aHandshakeThatThrowsAnErrorIsNotWaitedFor(Point point, String path) {
		this.faults.failing = point;
		try {
			new SocketClient(this.port, path).close();
			assertThat(point).isEqualTo(Point.AFTER_HANDSHAKE);
		}
		catch (CompletionException ex) {
			// the client receives an error in place of the handshake, or after it
		}
		this.faults.failing = null;
		await().untilAsserted(() -> assertThat(this.dispatcher.sessions().count()).isZero());
		assertThat(this.dispatcher.context().admission().close()).succeedsWithin(Duration.ofSeconds(1));
	}

	@ParameterizedTest
	@EnumSource(value = Point.class, names = { "START", "SCOPE_OPENED", "SCOPE_CLOSED", "EVENT", "STOP" })
	void anObservationHandlerThatThrowsAffectsNoMessage(Point point) throws InterruptedException {
		this.faults.failing = point;
		try (SocketClient client = new SocketClient(this.port, "/raw")) {
			client.send("first");
			client.send("second");
			assertThat(client.next(2)).containsExactly("first", "second");
		}
		await().untilAsserted(() -> assertThat(this.dispatcher.sessions().count()).isZero());
		await().untilAsserted(
				() -> assertThat(this.dispatcher.sharedSends().total().toString()).startsWith("0 bytes wait"));
		assertThat(this.dispatcher.context().admission().close()).succeedsWithin(Duration.ofSeconds(1));
	}

	/** Call of the application that fails. */
	enum Point {

		BEFORE_HANDSHAKE, AFTER_HANDSHAKE, START, SCOPE_OPENED, SCOPE_CLOSED, EVENT, STOP

	}

	static class Faults implements HandshakeInterceptor, ObservationHandler<Observation.Context> {

		private volatile @Nullable Point failing;

		private void reach(Point point) {
			if (this.failing == point) {
				throw new AssertionError("expected");
			}
		}

		@Override
		public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Map<String, Object> attributes) {
			reach(Point.BEFORE_HANDSHAKE);
			return true;
		}

		@Override
		public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				@Nullable Exception exception) {
			reach(Point.AFTER_HANDSHAKE);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context.getName() != null && context.getName().startsWith("sluice.");
		}

		@Override
		public void onStart(Observation.Context context) {
			reach(Point.START);
		}

		@Override
		public void onEvent(Observation.Event event, Observation.Context context) {
			reach(Point.EVENT);
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			reach(Point.SCOPE_OPENED);
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			reach(Point.SCOPE_CLOSED);
		}

		@Override
		public void onStop(Observation.Context context) {
			reach(Point.STOP);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import(Faults.class)
	static class Application {

		@Bean
		WebSocketConfigurer handlers(Faults faults) {
			return (registry) -> {
				registry.addHandler(new Echo(), "/raw").addInterceptors(faults);
				registry.addHandler(new Echo(), "/sockjs").addInterceptors(faults).withSockJS();
			};
		}

	}

	static class Echo extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			session.sendMessage(message);
		}

	}

}
