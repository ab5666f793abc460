package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.execution.Level;
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
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Handlers that an application registers itself, on real sockets. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = {
		"sluice.websocket.handlers.exclude-paths=/plain", "sluice.websocket.outbound.buffer-size-limit=1MB" })
class OrderedHandlersTests {

	@LocalServerPort
	private int port;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	@Autowired
	private Recorder recorder;

	@Test
	void eachClientReadsItsRepliesInTheOrderOfItsMessages() throws InterruptedException {
		List<SocketClient> clients = IntStream.range(0, 50).mapToObj((i) -> connect("/count")).toList();
		for (int round = 0; round < 3; round++) {
			clients.forEach((client) -> client.send("+1"));
		}
		for (SocketClient client : clients) {
			assertThat(client.next(3)).containsExactly("1", "2", "3");
			client.close();
		}
	}

	@Test
	void handlersRunOnWorkersAndNotOnTheContainersThreads() throws InterruptedException {
		try (SocketClient client = connect("/thread")) {
			client.send("message");
			assertThat(client.next(2)).allSatisfy((thread) -> assertThat(thread).startsWith("sluice-"));
		}
		try (SocketClient client = connect("/plain")) {
			client.send("message");
			assertThat(client.next(2)).noneSatisfy((thread) -> assertThat(thread).startsWith("sluice-"));
		}
	}

	@Test
	void repliesFromManyThreadsNeitherCollideNorLoseTheirOrder() throws InterruptedException {
		try (SocketClient client = connect("/fan")) {
			client.send("go");
			Map<String, Integer> lastOfThread = new ConcurrentHashMap<>();
			for (String reply : client.next(FanHandler.THREADS * FanHandler.REPLIES)) {
				String[] parts = reply.trim().split(" ");
				Integer before = lastOfThread.put(parts[0], Integer.valueOf(parts[1]));
				assertThat(Integer.valueOf(parts[1])).isEqualTo((before != null) ? before + 1 : 0);
			}
		}
	}

	@Test
	void aMessageLargerThanTheContainersBufferArrivesWhole() throws InterruptedException {
		try (SocketClient client = connect("/length")) {
			client.send("x".repeat(60_000));
			client.sendBinary(new byte[50_000]);
			assertThat(client.next(2)).containsExactly("text 60000", "binary 50000");
		}
	}

	@Test
	void aMessageLargerThanTheLimitClosesTheSession() {
		SocketClient client = connect("/length");
		client.send("x".repeat(70_000));
		assertThat(client.closeCode()).isEqualTo(CloseStatus.TOO_BIG_TO_PROCESS.getCode());
	}

	@Test
	void aHandlerThatThrowsClosesItsSessionAndHandlesNoMore() throws InterruptedException {
		SocketClient client = connect("/failing");
		client.send("ok");
		client.send("fail");
		client.send("ok");
		assertThat(client.next()).isEqualTo("ok");
		assertThat(client.closeCode()).isEqualTo(CloseStatus.SERVER_ERROR.getCode());
		assertThat(this.recorder.awaitClosed("/failing")).containsExactly("open", "ok", "fail", "closed");
	}

	@Test
	void closingIsTheLastCallbackAndLeavesNoQueueBehind() throws InterruptedException {
		SocketClient client = connect("/recorded");
		IntStream.range(0, 20).forEach((i) -> client.send("message"));
		client.close();
		List<String> callbacks = this.recorder.awaitClosed("/recorded");
		assertThat(callbacks).hasSize(22).startsWith("open", "message").endsWith("message", "closed");
		await().untilAsserted(() -> assertThat(this.inbound.snapshot(this.recorder.id("/recorded"))).isEmpty());
	}

	@Test
	void whenAQueueIsFullThenItsSessionIsClosed() {
		SocketClient client = connect("/stuck");
		IntStream.range(0, 110).forEach((i) -> client.send("message"));
		assertThat(client.closeCode()).isEqualTo(CloseStatus.SERVICE_OVERLOAD.getCode());
		StuckHandler.release.countDown();
	}

	@Test
	void sockJsSessionsAreOrderedToo() throws InterruptedException {
		try (SocketClient client = connect("/sockjs/000/session/websocket")) {
			assertThat(client.next()).isEqualTo("o");
			client.send("[\"+1\",\"+1\"]");
			client.send("[\"+1\"]");
			assertThat(client.next(3)).containsExactly("a[\"1\"]", "a[\"2\"]", "a[\"3\"]");
		}
		try (SocketClient client = connect("/sockjs/websocket")) {
			client.send("x".repeat(60_000));
			assertThat(client.next()).isEqualTo("1");
		}
	}

	@Test
	void aClientOfSockJsCannotChooseTheQueueOfSomebodyElse() throws InterruptedException {
		CompletableFuture<Void> busy = new CompletableFuture<>();
		this.inbound.submitStage("orders", Level.NORMAL, () -> busy);
		try (SocketClient client = connect("/sockjs/000/orders/websocket")) {
			assertThat(client.next()).isEqualTo("o");
			client.send("[\"+1\"]");
			assertThat(client.next()).isEqualTo("a[\"1\"]");
		}
		finally {
			busy.complete(null);
			this.inbound.removeQueue("orders").join();
		}
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		/** Something could pass, so sessions are read ahead. */
		@Bean
		static LevelResolver levels() {
			return (session, message) -> null;
		}

		/** Less than the high-water mark, which properties cannot say. */
		@Bean
		ExecutorCustomizer fewPlaces() {
			return (name, builder) -> {
				if (name.equals("inbound")) {
					builder.queueCapacity(100);
				}
			};
		}

		@Bean
		Recorder recorder() {
			return new Recorder();
		}

		@Bean
		WebSocketConfigurer handlers(Recorder recorder) {
			return (registry) -> {
				registry.addHandler(new CountHandler(), "/sockjs").withSockJS();
				plain(registry, recorder);
			};
		}

		private static void plain(WebSocketHandlerRegistry registry, Recorder recorder) {
			registry.addHandler(new CountHandler(), "/count")
				.addHandler(new ThreadHandler(), "/thread", "/plain")
				.addHandler(new FanHandler(), "/fan")
				.addHandler(new LengthHandler(), "/length")
				.addHandler(new RecordedHandler(recorder), "/failing", "/recorded")
				.addHandler(new StuckHandler(), "/stuck");
		}

	}

	/** Counts without any protection, a while after each message came. */
	static class CountHandler extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			int before = (int) session.getAttributes().getOrDefault("count", 0);
			LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(5_000_000));
			session.getAttributes().put("count", before + 1);
			session.sendMessage(new TextMessage(String.valueOf(before + 1)));
		}

	}

	static class ThreadHandler extends TextWebSocketHandler {

		@Override
		public void afterConnectionEstablished(WebSocketSession session) throws IOException {
			session.sendMessage(new TextMessage(Thread.currentThread().getName()));
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(Thread.currentThread().getName()));
		}

	}

	static class FanHandler extends TextWebSocketHandler {

		static final int THREADS = 8;

		static final int REPLIES = 200;

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
			for (int i = 0; i < THREADS; i++) {
				String name = "thread-" + i;
				new Thread(() -> reply(session), name).start();
			}
		}

		private void reply(WebSocketSession session) {
			String padding = " ".repeat(200);
			for (int i = 0; i < REPLIES; i++) {
				try {
					session.sendMessage(new TextMessage(Thread.currentThread().getName() + " " + i + padding));
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}

	}

	static class LengthHandler extends AbstractWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage("text " + message.getPayloadLength()));
		}

		@Override
		protected void handleBinaryMessage(WebSocketSession session, BinaryMessage message) throws IOException {
			session.sendMessage(new TextMessage("binary " + message.getPayloadLength()));
		}

	}

	static class RecordedHandler extends TextWebSocketHandler {

		private final Recorder recorder;

		RecordedHandler(Recorder recorder) {
			this.recorder = recorder;
		}

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			this.recorder.record(session, "open");
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			this.recorder.record(session, message.getPayload());
			if (message.getPayload().equals("fail")) {
				throw new IllegalStateException("expected");
			}
			session.sendMessage(message);
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			this.recorder.record(session, "closed");
		}

	}

	static class StuckHandler extends TextWebSocketHandler {

		static final CountDownLatch release = new CountDownLatch(1);

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws InterruptedException {
			assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
		}

	}

	/** The callbacks of each path's only session. */
	static class Recorder {

		private final Map<String, List<String>> callbacks = new ConcurrentHashMap<>();

		private final Map<String, String> ids = new ConcurrentHashMap<>();

		void record(WebSocketSession session, String callback) {
			String path = session.getUri().getPath();
			this.ids.put(path, session.getId());
			this.callbacks.computeIfAbsent(path, (key) -> new CopyOnWriteArrayList<>()).add(callback);
		}

		String id(String path) {
			return this.ids.get(path);
		}

		List<String> awaitClosed(String path) {
			await().until(() -> this.callbacks.getOrDefault(path, List.of()).contains("closed"));
			return this.callbacks.get(path);
		}

	}

}
