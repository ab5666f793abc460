package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.net.http.WebSocketHandshakeException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Real stops of an application with real sockets. */
@Tag("sockets")
class ShutdownTests {

	private ConfigurableApplicationContext context;

	private GatedHandler handler;

	private Gate gate;

	private Thread stopping;

	@AfterEach
	void close() {
		this.gate.handshakes().release(1_000);
		this.gate.permits().release(1_000);
		this.context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/gated", "/typed-gated", "/stomp" })
	void whatWasQueuedIsHandledAndThenEveryClientSeesGoingAway(String path) throws InterruptedException {
		start("20s");
		List<SocketClient> clients = connectAll(path, 10);
		boolean stomp = path.equals("/stomp");
		if (stomp) {
			connectStomp(clients);
		}
		for (SocketClient client : clients) {
			int number = clients.indexOf(client);
			IntStream.range(0, 5)
				.mapToObj((i) -> number + " message " + i)
				.forEach((text) -> client.send(stomp ? "SEND\ndestination:/app/gated\n\n" + text + "\0" : text));
		}
		await().untilAsserted(() -> assertThat(this.context.getBean(SequentialLeveledTaskExecutor.class).snapshot(10))
			.returns(10 * 4L, ExecutorSnapshot::waitingNormal));
		CompletableFuture<Void> stop = stop();
		await().until(this::refusesHandshakes);
		await().until(() -> this.stopping.getState() == Thread.State.TIMED_WAITING);
		clients.forEach((client) -> client.send(stomp ? "SEND\ndestination:/app/gated\n\nlate\0" : "late"));
		this.gate.permits().release(1_000);
		for (SocketClient client : clients) {
			assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
			assertThat(client.closeReason()).isEqualTo("Application is stopping");
		}
		stop.join();
		assertThat(this.gate.passed()).hasSize(10 * 5);
		for (int i = 0; i < 10; i++) {
			String number = i + " ";
			assertThat(this.gate.passed()).filteredOn((text) -> text.startsWith(number))
				.containsExactly(number + "message 0", number + "message 1", number + "message 2", number + "message 3",
						number + "message 4");
		}
		if (!stomp) {
			for (SocketClient client : clients) {
				assertThat(client.next(5)).last().asString().endsWith("message 4");
			}
		}
	}

	@Test
	@Tag("full")
	void aHandlerThatHangsDelaysNobodyElse() {
		start("5s");
		SocketClient hanging = connect();
		hanging.send("message");
		SocketClient other = connect();
		await().until(this.gate.permits()::hasQueuedThreads);
		CompletableFuture<Void> stop = stop();
		assertThat(other.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		assertThat(stop).isNotDone();
		assertThat(hanging.isClosed()).isFalse();
		assertThat(hanging.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	@Test
	void whenAllWorkersAreBusyThenEveryClientSeesGoingAway() {
		start("2s", "--sluice.execution.workers=1");
		SocketClient idle = connect("/typed");
		await().untilAsserted(() -> assertThat(
				this.context.getBean(WebSocketSessionManager.class).find(Typed.class, ManagedSession::isOpen))
			.hasSize(1));
		SocketClient hanging = connect();
		hanging.send("message");
		await().until(this.gate.permits()::hasQueuedThreads);
		SocketClient waiting = connect("/raw");
		waiting.send("message");
		CompletableFuture<Void> stop = stop();
		for (SocketClient client : List.of(idle, hanging, waiting)) {
			assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		}
		this.gate.permits().release(1_000);
		stop.join();
	}

	@Test
	void whenASessionsQueueIsPausedThenStoppingResumesIt() throws InterruptedException {
		start("20s");
		this.gate.permits().release(1_000);
		SocketClient client = connect();
		client.send("first");
		assertThat(client.next()).isEqualTo("first");
		SequentialLeveledTaskExecutor inbound = this.context.getBean(SequentialLeveledTaskExecutor.class);
		inbound.queue(this.handler.lastSessionId).pause();
		client.send("second");
		await().until(() -> waiting() == 1);
		CompletableFuture<Void> stop = stop();
		assertThat(client.next()).isEqualTo("second");
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	@Test
	void inTheMiddleOfTrafficClientsOfAllKindsSeeGoingAwayAlthoughAHandlerHangs() throws InterruptedException {
		start("20s");
		SocketClient hanging = connect();
		hanging.send("message");
		await().until(this.gate.permits()::hasQueuedThreads);
		List<SocketClient> typed = connectAll("/typed", 5);
		List<SocketClient> raw = connectAll("/raw", 5);
		List<SocketClient> stomp = connectAll("/stomp", 5);
		connectStomp(stomp);
		List<SocketClient> plain = new ArrayList<>(typed);
		plain.addAll(raw);
		plain.forEach((client) -> IntStream.range(0, 50).forEach((i) -> client.send("message " + i)));
		stomp.forEach((client) -> IntStream.range(0, 50)
			.forEach((i) -> client.send("SEND\ndestination:/topic/nobody\n\nmessage\0")));
		for (SocketClient client : plain) {
			assertThat(client.next()).isEqualTo("message 0");
		}
		CompletableFuture<Void> stop = stop();
		plain.addAll(stomp);
		for (SocketClient client : plain) {
			assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		}
		assertThat(stop).isNotDone();
		this.gate.permits().release(1);
		assertThat(hanging.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	@Test
	void aClientWhoseHandshakeIsUnderWaySeesGoingAway() {
		start("20s");
		CompletableFuture<SocketClient> client = CompletableFuture.supplyAsync(() -> connect("/slow"),
				(task) -> new Thread(task).start());
		await().until(this.gate.handshakes()::hasQueuedThreads);
		CompletableFuture<Void> stop = stop();
		await().until(this::refusesHandshakes);
		this.gate.handshakes().release();
		assertThat(client.join().closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	private List<SocketClient> connectAll(String path, int count) {
		return IntStream.range(0, count).mapToObj((i) -> connect(path)).toList();
	}

	private static void connectStomp(List<SocketClient> clients) throws InterruptedException {
		for (SocketClient client : clients) {
			client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
			assertThat(client.next()).startsWith("CONNECTED");
		}
	}

	private void start(String timeout, String... arguments) {
		List<String> properties = new ArrayList<>(List.of(arguments));
		properties.add("--server.port=0");
		properties.add("--sluice.websocket.shutdown-timeout=" + timeout);
		this.context = new SpringApplicationBuilder(Application.class).run(properties.toArray(String[]::new));
		this.handler = this.context.getBean(GatedHandler.class);
		this.gate = this.context.getBean(Gate.class);
	}

	private CompletableFuture<Void> stop() {
		return CompletableFuture.runAsync(this.context::close, (task) -> {
			this.stopping = new Thread(task);
			this.stopping.start();
		});
	}

	private SocketClient connect() {
		return connect("/gated");
	}

	private SocketClient connect(String path) {
		return new SocketClient(((WebServerApplicationContext) this.context).getWebServer().getPort(), path);
	}

	private long waiting() {
		return this.context.getBean(SequentialLeveledTaskExecutor.class).snapshot(0).waitingNormal();
	}

	private boolean refusesHandshakes() {
		try {
			connect().close();
			return false;
		}
		catch (CompletionException ex) {
			assertThat(ex).cause()
				.isInstanceOfSatisfying(WebSocketHandshakeException.class,
						(refused) -> assertThat(refused.getResponse().statusCode()).isEqualTo(503));
			return true;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Typed.class, TypedGated.class, StompGated.class })
	static class Application {

		/** Something could pass, so sessions are read ahead. */
		@Bean
		static LevelResolver levels() {
			return (session, message) -> null;
		}

		@Bean
		static Gate gate() {
			return new Gate(new Semaphore(0), new Semaphore(0), new ConcurrentLinkedQueue<>());
		}

		@Bean
		GatedHandler handler(Gate gate) {
			return new GatedHandler(gate);
		}

		@Bean
		WebSocketConfigurer handlers(GatedHandler handler, Gate gate) {
			return (registry) -> {
				registry.addHandler(handler, "/gated").addHandler(new RawEcho(), "/raw");
				registry.addHandler(new RawEcho(), "/slow").setHandshakeHandler(new GatedHandshake(gate));
			};
		}

	}

	/** Sends each message back. */
	static class RawEcho extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

	/** Sends each message back, too. */
	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		String echo(String message) {
			return message;
		}

	}

	/** Answers each handshake, when there is a permit. */
	static class GatedHandshake extends DefaultHandshakeHandler {

		private final Gate gate;

		GatedHandshake(Gate gate) {
			this.gate = gate;
		}

		@Override
		protected Principal determineUser(ServerHttpRequest request, WebSocketHandler handler,
				Map<String, Object> attributes) {
			this.gate.handshakes().acquireUninterruptibly();
			return () -> "user";
		}

	}

	/** What lets handshakes and messages be handled, and which messages it has let. */
	record Gate(Semaphore handshakes, Semaphore permits, Queue<String> passed) {

		void pass(String message) throws InterruptedException {
			this.permits.acquire();
			this.passed.add(message);
		}

	}

	/** Sends each message back, when there is a permit. */
	@WebSocketEndpoint("/typed-gated")
	static class TypedGated extends ManagedSession {

		private final Gate gate;

		TypedGated(Gate gate) {
			this.gate = gate;
		}

		@OnMessage
		String echo(String message) throws InterruptedException {
			this.gate.pass(message);
			return message;
		}

	}

	/** Handles each message, when there is a permit. */
	@Controller
	static class StompGated {

		private final Gate gate;

		StompGated(Gate gate) {
			this.gate = gate;
		}

		@MessageMapping("/gated")
		void handle(@Payload String message) throws InterruptedException {
			this.gate.pass(message);
		}

	}

	/** Sends each message back, when there is a permit. */
	static class GatedHandler extends TextWebSocketHandler {

		private final Gate gate;

		private volatile String lastSessionId = "";

		GatedHandler(Gate gate) {
			this.gate = gate;
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message)
				throws IOException, InterruptedException {
			this.lastSessionId = session.getId();
			this.gate.pass(message.getPayload());
			session.sendMessage(message);
		}

	}

}
