package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.execution.Level;
import dev.sluice.execution.QueueSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.LevelResolver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clients that flood while another sends a single message, on real sockets. Counted, not
 * timed: the flood gets the permits of one turn on each worker, so a worker that goes on
 * with it leaves the quiet client without an answer.
 */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.execution.workers=2", "sluice.execution.max-tasks-before-yield=3" })
class HandlerFairnessTests {

	private static final int WORKERS = 2;

	private static final int MAX_TASKS_BEFORE_YIELD = 3;

	@LocalServerPort
	private int port;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@Autowired
	private FloodHandler flood;

	@Test
	void aQuietClientIsAnsweredOnceEachWorkerMayHaveEndedAFewTasksOfTheFlood() throws InterruptedException {
		try (SocketClient first = connect("/flood");
				SocketClient second = connect("/flood");
				SocketClient client = connect("/quiet")) {
			String id = client.next();
			IntStream.range(0, 100).forEach((i) -> {
				first.send("message");
				second.send("message");
			});
			await().until(() -> this.flood.started.get() == WORKERS && this.inbound.snapshot(1).waitingNormal() > 100);
			client.send("message");
			await().until(() -> this.inbound.snapshot(id).map(QueueSnapshot::normal).orElse(0) == 1);
			this.flood.permits.release(MAX_TASKS_BEFORE_YIELD * WORKERS);
			assertThat(client.next()).isEqualTo("answer to message");
			this.flood.permits.release(1_000);
		}
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		/** Has sessions read ahead. */
		@Bean
		LevelResolver levels() {
			return (session, message) -> Level.NORMAL;
		}

		@Bean
		FloodHandler flood() {
			return new FloodHandler();
		}

		@Bean
		QuietHandler quiet() {
			return new QuietHandler();
		}

		@Bean
		WebSocketConfigurer handlers(FloodHandler flood, QuietHandler quiet) {
			return (registry) -> registry.addHandler(flood, "/flood").addHandler(quiet, "/quiet");
		}

	}

	/** Counts its messages and ends none without a permit. */
	static class FloodHandler extends TextWebSocketHandler {

		private final AtomicInteger started = new AtomicInteger();

		private final Semaphore permits = new Semaphore(0);

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws InterruptedException {
			this.started.incrementAndGet();
			this.permits.acquire();
		}

	}

	/** Tells its session's id at first, then answers. */
	static class QuietHandler extends TextWebSocketHandler {

		@Override
		public void afterConnectionEstablished(WebSocketSession session) throws IOException {
			session.sendMessage(new TextMessage(session.getId()));
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage("answer to " + message.getPayload()));
		}

	}

}
