package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.execution.Level;
import dev.sluice.execution.QueueState;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Messages that are handled by the threads of the container that have read them. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "server.tomcat.threads.max=8", "sluice.execution.workers=6",
				"sluice.websocket.outbound.buffer-size-limit=100KB", "sluice.websocket.outbound.send-time-limit=5s" })
@Timeout(60)
class HandlingThreadTests {

	/** Half of the threads of the container. */
	private static final int READERS = 4;

	/** Those of the container among them. */
	private static final int HANDLERS = 6;

	@LocalServerPort
	private int port;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@Autowired
	private Handler handler;

	@AfterEach
	void releaseAll() {
		this.handler.release.release(1_000);
		await().until(() -> this.inbound.snapshot(0).queues() == 0);
		this.handler.release.drainPermits();
	}

	@Test
	void messagesAreHandledInOrderByTheThreadsThatReadThem() throws InterruptedException {
		try (SocketClient client = connect()) {
			assertThat(threadOf(client, "first")).startsWith("http");
			await().until(() -> isReaderOfAll(client, 200));
		}
	}

	/** Not so if one of the messages took long, which happens on a busy machine. */
	private static boolean isReaderOfAll(SocketClient client, int messages) throws InterruptedException {
		IntStream.range(0, messages).forEach((i) -> client.send("message " + i));
		int read = 0;
		for (int i = 0; i < messages; i++) {
			String answer = client.next();
			assertThat(answer).startsWith("message " + i + " by ");
			if (answer.contains(" by http")) {
				read++;
			}
		}
		return read == messages;
	}

	@Test
	void aMessageBehindATaskOfTheSessionIsHandledByAWorkerAfterIt() throws InterruptedException {
		try (SocketClient client = connect()) {
			CountDownLatch begun = new CountDownLatch(1);
			CompletableFuture<Void> gate = new CompletableFuture<>();
			TaskQueue queue = this.inbound.queue(this.handler.sessions.remove());
			queue.execute(Level.NORMAL, () -> {
				begun.countDown();
				gate.join();
			});
			begun.await();
			client.send("behind");
			await().until(() -> queue.snapshot().waiting() == 1);
			gate.complete(null);
			assertThat(client.next()).startsWith("behind by sluice-");
			await().until(() -> queue.snapshot().state() == QueueState.IDLE);
			assertThat(threadOf(client, "then")).startsWith("http");
		}
	}

	@Test
	void aPausedSessionHandlesNothingUntilItIsResumed() throws InterruptedException {
		try (SocketClient client = connect()) {
			TaskQueue queue = this.inbound.queue(this.handler.sessions.remove());
			queue.pause();
			client.send("paused");
			client.send("next");
			await().until(() -> queue.snapshot().waiting() == 1);
			queue.resume();
			assertThat(client.next()).startsWith("paused by sluice-");
			assertThat(client.next()).startsWith("next by ");
		}
	}

	@Test
	void handlersThatBlockAreNoMoreThanMayAndLeaveHalfOfTheContainersThreads() throws Exception {
		List<SocketClient> blocked = new ArrayList<>();
		for (int i = 0; i < HANDLERS + 2; i++) {
			blocked.add(connect());
		}
		blocked.forEach((client) -> client.send("block"));
		await().until(() -> this.handler.blocked.size() == HANDLERS && this.inbound.snapshot(0).waitingNormal() == 2);
		assertThat(this.handler.blocked).filteredOn((thread) -> thread.startsWith("http")).hasSizeBetween(1, READERS);
		assertThat(get("/hello")).isEqualTo("hello");
		try (RawClient pinging = new RawClient(this.port, "/handler")) {
			pinging.ping("are you there?");
			assertThat(pinging.skipTo(RawClient.PONG)).asString().isEqualTo("are you there?");
		}
		this.handler.release.release(blocked.size());
		for (SocketClient client : blocked) {
			assertThat(client.next()).startsWith("block by ");
			client.close();
		}
	}

	@Test
	void aPingAndACloseBehindAMessageAreAnsweredWhenItHasBeenHandled() throws Exception {
		try (RawClient client = connectRaw()) {
			client.write("block");
			client.ping("behind");
			client.writeClose(CloseStatus.NORMAL.getCode());
			await().until(() -> !this.handler.blocked.isEmpty());
			this.handler.release.release();
			assertThat(client.skipTo(RawClient.TEXT)).asString().startsWith("block by http");
			assertThat(client.skipTo(RawClient.PONG)).asString().isEqualTo("behind");
			assertThat(client.readCloseCode()).isEqualTo(CloseStatus.NORMAL.getCode());
		}
	}

	@Test
	void aSessionWhoseHandlersTakeLongIsLeftToWorkersAndItsPingsAreAnsweredMeanwhile() throws Exception {
		try (RawClient client = connectRaw()) {
			client.write("long");
			client.flush();
			assertThat(client.read()).startsWith("long by http");
			client.write("block");
			client.ping("meanwhile");
			assertThat(client.skipTo(RawClient.PONG)).asString().isEqualTo("meanwhile");
			this.handler.release.release();
			assertThat(client.skipTo(RawClient.TEXT)).asString().startsWith("block by sluice-");
		}
	}

	@Test
	void handlersThatWaitForClientsWhoDoNotReadCountAsWorkersAndKeepNobodyElse() throws Exception {
		List<RawClient> stalled = new ArrayList<>();
		try (SocketClient other = connect()) {
			assertThat(threadOf(other, "other")).startsWith("http");
			for (int i = 0; i < HANDLERS; i++) {
				RawClient client = new RawClient(this.port, "/handler");
				stalled.add(client);
				client.write("flood");
				client.flush();
			}
			await().until(() -> {
				other.send("may wait");
				return other.next().equals("false");
			});
			assertThat(threadOf(other, "again")).isNotEmpty();
		}
		stalled.forEach(RawClient::close);
	}

	private SocketClient connect() {
		this.handler.sessions.clear();
		SocketClient client = new SocketClient(this.port, "/handler");
		awaitIdleSession();
		return client;
	}

	private RawClient connectRaw() {
		this.handler.sessions.clear();
		RawClient client = new RawClient(this.port, "/handler");
		awaitIdleSession();
		return client;
	}

	/** A message that comes while the session is being opened is for a worker. */
	private void awaitIdleSession() {
		await().until(() -> !this.handler.sessions.isEmpty()
				&& this.inbound.queue(this.handler.sessions.peek()).snapshot().state() == QueueState.IDLE);
	}

	private static String threadOf(SocketClient client, String message) throws InterruptedException {
		client.send(message);
		String answer = client.next();
		assertThat(answer).startsWith(message + " by ");
		return answer.substring(message.length() + 4);
	}

	private String get(String path) throws IOException, InterruptedException {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build(),
					BodyHandlers.ofString())
			.body();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import(Hello.class)
	static class Application {

		@Bean
		Handler handler(BlockingWaits waits) {
			return new Handler(waits);
		}

		@Bean
		WebSocketConfigurer handlers(Handler handler) {
			return (registry) -> registry.addHandler(handler, "/handler");
		}

	}

	@RestController
	static class Hello {

		@GetMapping("/hello")
		String hello() {
			return "hello";
		}

	}

	/** Answers each message with itself and the thread that handles it. */
	static class Handler extends TextWebSocketHandler {

		private final Queue<String> sessions = new ConcurrentLinkedQueue<>();

		private final Queue<String> blocked = new ConcurrentLinkedQueue<>();

		private final Semaphore release = new Semaphore(0);

		private final BlockingWaits waits;

		Handler(BlockingWaits waits) {
			this.waits = waits;
		}

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			this.sessions.add(session.getId());
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message)
				throws IOException, InterruptedException, ExecutionException {
			if (message.getPayload().equals("may wait")) {
				session.sendMessage(new TextMessage("" + this.waits.block(() -> {
				})));
				return;
			}
			String thread = Thread.currentThread().getName();
			switch (message.getPayload()) {
				case "block" -> block(thread);
				case "flood" -> flood(session);
				case "long" -> LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
				default -> {
				}
			}
			session.sendMessage(new TextMessage(message.getPayload() + " by " + thread));
		}

		private void block(String thread) throws InterruptedException {
			this.blocked.add(thread);
			try {
				this.release.acquire();
			}
			finally {
				this.blocked.remove(thread);
			}
		}

		private static void flood(WebSocketSession session) throws IOException {
			TextMessage large = new TextMessage("x".repeat(50_000));
			for (int i = 0; i < 200 && session.isOpen(); i++) {
				session.sendMessage(large);
			}
		}

	}

}
