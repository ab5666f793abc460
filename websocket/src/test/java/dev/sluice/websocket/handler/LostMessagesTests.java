package dev.sluice.websocket.handler;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What is told when the application does not wait for a handler any longer. */
@ExtendWith(OutputCaptureExtension.class)
class LostMessagesTests {

	private final ExecutorService workers = Executors.newCachedThreadPool();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(this.workers)
		.closeTimeout(Duration.ofMillis(10))
		.build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
		.control(Runnable::run)
		.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
		.build();

	private final CountDownLatch release = new CountDownLatch(1);

	private final WebSocketHandler handler = this.dispatcher.decorate(new TextWebSocketHandler() {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			LostMessagesTests.this.release.await();
		}

	});

	@AfterEach
	void stop() {
		this.release.countDown();
		this.workers.shutdownNow();
	}

	@Test
	void messagesBehindAHandlerThatOutlastsTheTimeToStopAreToldAndCounted(CapturedOutput output) throws Exception {
		send(3);

		this.dispatcher.shutdown().drainAndClose(Duration.ofMillis(100)).join();
		assertThat(output).contains("Not everything was handled within PT0.1S (messages that wait and are lost: 2, "
				+ "messages whose handling may be interrupted: 1, sessions: 1)");

		this.inbound.close();
		assertThat(this.inbound.snapshot(0).cancelled()).isEqualTo(2);
	}

	@Test
	void nothingIsToldWhereAllWasHandled(CapturedOutput output) throws Exception {
		this.release.countDown();
		StubSession client = send(3);
		await().until(() -> this.inbound.snapshot(0).completed() >= 4);
		this.handler.afterConnectionClosed(client, CloseStatuses.STOPPING);

		this.dispatcher.shutdown().drainAndClose(Duration.ofSeconds(20)).join();

		assertThat(output).doesNotContain("Not everything was handled");
	}

	private StubSession send(int messages) throws Exception {
		StubSession client = new StubSession("1");
		this.handler.afterConnectionEstablished(client);
		for (int i = 0; i < messages; i++) {
			this.handler.handleMessage(client, new TextMessage("message"));
		}
		return client;
	}

}
