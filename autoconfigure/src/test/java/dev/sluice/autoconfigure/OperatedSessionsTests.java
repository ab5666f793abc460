package dev.sluice.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Throttled;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Limit;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
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
import org.springframework.http.MediaType;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What an operator does to a session on a real socket, through the endpoint. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=throttling",
				"management.endpoint.throttling.access=unrestricted",
				"management.endpoint.throttling.show-keys=always" })
class OperatedSessionsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@AfterEach
	void awaitTheEnd() {
		await().until(() -> this.sessions.count() == 0);
	}

	@Test
	void aPausedSessionAnswersWhenItIsResumed() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/echo")) {
			String id = id();
			assertThat(operate("/queues/" + id, "pause")).contains("\"state\":\"paused\"");
			client.send("{\"type\":\"hello\"}");
			await().untilAsserted(() -> assertThat(read("/queues/" + id)).contains("\"normal\":1"));
			assertThat(operate("/queues/" + id, "resume")).contains("\"inbound\"");
			assertThat(client.next()).isEqualTo("\"hello\"");
		}
	}

	@Test
	void aSessionIsShownAndClosedForABreachOfPolicy() {
		try (SocketClient client = new SocketClient(this.port, "/echo")) {
			String id = id();
			assertThat(read("/sessions/" + id))
				.isEqualTo("{\"id\":\"%s\",\"type\":\"Echo\",\"open\":true}".formatted(id));
			client().delete().uri("/sessions/" + id).retrieve().toBodilessEntity();
			assertThat(client.closeCode()).isEqualTo(1008);
			assertThat(client.closeReason()).isEqualTo("Closed by an operator");
		}
	}

	@Test
	void aSessionWhoseClientHasLeftIsAbandoned() {
		SocketClient client = new SocketClient(this.port, "/echo");
		String id = id();
		client.send("{\"type\":\"endless\"}");
		await().untilAsserted(() -> assertThat(read("/queues/" + id)).contains("\"state\":\"held\""));
		client.close();
		await().until(() -> this.sessions.count() == 0);
		assertThat(read("/queues/" + id)).contains("\"state\":\"held\"");
		client().delete().uri("/sessions/" + id).retrieve().toBodilessEntity();
		await().untilAsserted(() -> assertThatExceptionOfType(HttpClientErrorException.NotFound.class)
			.isThrownBy(() -> read("/queues/" + id)));
	}

	@Test
	void framesAndEndpointTellTheSameTimeInTheSameWay() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/echo")) {
			String id = id();
			client.send("{\"type\":\"ask\"}");
			client.send("{\"type\":\"ask\"}");
			assertThat(client.next(2)).last().asString().endsWith("\"retryAfter\":1.0}");
			assertThat(read("/throttles/questions?key=" + id)).endsWith("\"retryAfter\":1.0}");
		}
	}

	@Test
	void aLimitForWhichTheApplicationAsksIsNotRemoved() throws InterruptedException {
		assertThatExceptionOfType(HttpClientErrorException.Conflict.class)
			.isThrownBy(() -> operate("/throttles/questions", "remove"))
			.withMessageContaining("by customizer, and calls require it: set 'dryRun' to true to stop rejections");
		try (SocketClient client = new SocketClient(this.port, "/echo")) {
			client.send("{\"type\":\"ask\"}");
			assertThat(client.next()).isEqualTo("\"answer\"");
		}
	}

	private String id() {
		await().until(() -> this.sessions.countByType().equals(Map.of("Echo", 1)));
		return this.sessions.find(Echo.class, (session) -> true).get(0).id();
	}

	private String read(String path) {
		return String.valueOf(client().get().uri(path).retrieve().body(String.class));
	}

	private String operate(String path, String action) {
		return String.valueOf(client().post()
			.uri(path)
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"action\":\"%s\"}".formatted(action))
			.retrieve()
			.body(String.class));
	}

	private RestClient client() {
		return RestClient.create("http://localhost:" + this.port + "/actuator/throttling");
	}

	@WebSocketEndpoint(path = "/echo")
	static class Echo extends ManagedSession {

		@OnMessage("hello")
		String hello() {
			return "\"hello\"";
		}

		@OnMessage("endless")
		CompletableFuture<String> endless() {
			return new CompletableFuture<>();
		}

		@OnMessage("ask")
		@Throttled(value = "questions", key = "#session.id")
		String ask() {
			return "\"answer\"";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Echo.class)
	static class Application {

		@Bean
		NanoClock stoppedClock() {
			return () -> Duration.ofDays(20_000).toNanos();
		}

		@Bean
		ThrottlingManagerCustomizer limits() {
			return (limits) -> limits.addOrUpdate("questions", Limit.slidingLog(1, Duration.ofSeconds(1)));
		}

	}

}
