package dev.sluice.autoconfigure.websocket.stomp;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Limits that an application has set for STOMP, on real sockets. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("sockets")
class StompLimitsTests {

	private static final String LIMITS = "Limits of STOMP sessions: ";

	/** Less than a default of ours that would end the same client. */
	private static final Duration SOON = Duration.ofSeconds(8);

	private ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void theSendTimeLimitOfTheApplicationHolds(CapturedOutput output) throws InterruptedException {
		start("--send-time=300");
		try (SocketClient client = subscribe()) {
			send("x".repeat(16 * 1024 * 1024));
			await().atMost(SOON).until(() -> sessions().count() == 0);
			assertThat(client).isNotNull();
		}
		assertThat(output).containsOnlyOnce(LIMITS)
			.contains(LIMITS + "messages 65536B (default), waiting to be sent 524288B (default) and PT0.3S "
					+ "(WebSocketTransportRegistration)");
	}

	@Tag("full")
	@Test
	void aClientThatTakesNothingIsCutOffAtTheSendBufferSizeOfTheApplication(CapturedOutput output)
			throws InterruptedException {
		start("--send-time=60000", "--send-buffer=65536", "--message-size=98304");
		try (SocketClient client = subscribe()) {
			for (int i = 0; i < 10; i++) {
				send("x".repeat(2 * 1024 * 1024));
			}
			await().atMost(SOON).until(() -> sessions().count() == 0);
			assertThat(client).isNotNull();
		}
		assertThat(output).contains(LIMITS + "messages 98304B (WebSocketTransportRegistration), waiting to be sent "
				+ "65536B (WebSocketTransportRegistration) and PT1M (WebSocketTransportRegistration)");
	}

	@Test
	void aClientThatTakesWhatIsSentMayHaveMoreWaiting() throws Exception {
		start("--send-buffer=1024");
		int messages = 2_000;
		try (StompClient client = new StompClient(port(), "/stomp")) {
			client.subscribe("/topic/news");
			CompletableFuture<String> probe = CompletableFuture.supplyAsync(() -> next(client::next));
			await().until(() -> {
				send("probe");
				return probe.isDone();
			});
			for (int i = 0; i < messages; i++) {
				send(String.valueOf(i));
			}
			String last = client.next();
			while (!last.equals(String.valueOf(messages - 1))) {
				last = client.next();
			}
		}
	}

	@Test
	void propertiesComeBeforeWhatTheApplicationHasSet(CapturedOutput output) throws InterruptedException {
		start("--send-time=300", "--send-buffer=1024", "--message-size=98304",
				"--sluice.websocket.max-message-size=32KB", "--sluice.websocket.outbound.buffer-size-limit=1MB",
				"--sluice.websocket.outbound.send-time-limit=7s");
		assertThat(output).contains(LIMITS + "messages 32768B (sluice.websocket.max-message-size), waiting to be sent "
				+ "1048576B (sluice.websocket.outbound.buffer-size-limit) and PT7S "
				+ "(sluice.websocket.outbound.send-time-limit)");
		try (SocketClient client = new SocketClient(port(), "/stomp")) {
			client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
			assertThat(client.next()).startsWith("CONNECTED");
			String half = "x".repeat(20_000);
			client.send("SEND\ndestination:/topic/news\n\n" + half);
			client.send(half + "\0");
			assertThat(client.closeCode()).isEqualTo(CloseStatus.PROTOCOL_ERROR.getCode());
		}
	}

	private void start(String... arguments) {
		this.context = new SpringApplicationBuilder(Application.class).properties("server.port=0").run(arguments);
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	private WebSocketSessionManager sessions() {
		return this.context.getBean(WebSocketSessionManager.class);
	}

	private void send(String message) {
		this.context.getBean(SimpMessagingTemplate.class).convertAndSend("/topic/news", message);
	}

	/** Subscribes, and reads nothing from then on. */
	private SocketClient subscribe() throws InterruptedException {
		SocketClient client = new SocketClient(port(), "/stomp");
		client.send("CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:0,0\n\n\0");
		assertThat(client.next()).startsWith("CONNECTED");
		client.send("SUBSCRIBE\nid:0\ndestination:/topic/news\n\n\0");
		CompletableFuture<String> probe = CompletableFuture.supplyAsync(() -> next(client::next));
		await().until(() -> {
			send("probe");
			return probe.isDone();
		});
		client.stopReading();
		return client;
	}

	private static String next(Callable<String> next) {
		try {
			return next.call();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(StompBroker.class)
	static class Application implements WebSocketMessageBrokerConfigurer {

		private final Environment environment;

		Application(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void configureWebSocketTransport(WebSocketTransportRegistration registration) {
			Integer time = this.environment.getProperty("send-time", Integer.class);
			if (time != null) {
				registration.setSendTimeLimit(time);
			}
			Integer buffer = this.environment.getProperty("send-buffer", Integer.class);
			if (buffer != null) {
				registration.setSendBufferSizeLimit(buffer);
			}
			Integer message = this.environment.getProperty("message-size", Integer.class);
			if (message != null) {
				registration.setMessageSizeLimit(message);
			}
		}

	}

}
