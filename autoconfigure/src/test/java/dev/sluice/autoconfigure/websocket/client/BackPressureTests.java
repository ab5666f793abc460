package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

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
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A client that sends more than is handled, to sessions that are read ahead. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.websocket.inbound.high-water-mark=20", "sluice.websocket.inbound.low-water-mark=5" })
class BackPressureTests {

	private static final int MESSAGES = 3_000;

	private static final String PADDING = " ".repeat(10_000);

	@LocalServerPort
	private int port;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@Autowired
	private SlowHandler handler;

	@Test
	void theClientIsSlowedAtItsSocketAndNothingIsLost() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/slow")) {
			IntStream.range(0, MESSAGES).forEach((i) -> client.send(i + PADDING));
			awaitHighWaterMark();
			assertThat(client.hasSentAll()).isFalse();
			for (int i = 0; i < MESSAGES; i++) {
				this.handler.permits.release();
				assertThat(client.next()).isEqualTo(String.valueOf(i));
				assertThat(this.inbound.snapshot(0).waitingNormal()).isLessThanOrEqualTo(20);
			}
			await().until(client::hasSentAll);
		}
	}

	@Test
	void aSessionWhoseReadingHasStoppedCanStillBeClosed() {
		SocketClient client = new SocketClient(this.port, "/slow");
		IntStream.range(0, 40).forEach((i) -> client.send("close" + PADDING));
		awaitHighWaterMark();
		this.handler.permits.release(1);
		assertThat(client.closeCode()).isEqualTo(CloseStatus.NORMAL.getCode());
		await().untilAsserted(() -> assertThat(this.inbound.snapshot(0).queues()).isZero());
	}

	/** Waits until reading has stopped, with one message being handled. */
	private void awaitHighWaterMark() {
		await().until(() -> this.inbound.snapshot(0).waitingNormal() == 19);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		@Bean
		SlowHandler handler() {
			return new SlowHandler();
		}

		/** Something could pass, so sessions are read ahead. */
		@Bean
		static LevelResolver levels() {
			return (session, message) -> null;
		}

		@Bean
		WebSocketConfigurer handlers(SlowHandler handler) {
			return (registry) -> registry.addHandler(handler, "/slow");
		}

	}

	/** Answers with the beginning of each message, when there is a permit. */
	static class SlowHandler extends TextWebSocketHandler {

		private final Semaphore permits = new Semaphore(0);

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message)
				throws IOException, InterruptedException {
			this.permits.acquire();
			String text = message.getPayload().trim();
			if (text.equals("close")) {
				session.close();
			}
			else {
				session.sendMessage(new TextMessage(text));
			}
		}

	}

}
