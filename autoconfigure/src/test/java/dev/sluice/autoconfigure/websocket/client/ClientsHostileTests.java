package dev.sluice.autoconfigure.websocket.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.sluice.autoconfigure.fixture.RawClient;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Attacks on the threads of the server by many clients, beside innocent ones. */
@Tag("hostile")
@Timeout(60)
class ClientsHostileTests {

	/** Several for each of the 200 threads of Tomcat. */
	private static final int ATTACKERS = 800;

	private static final int OTHERS = 20;

	/** As many as there are workers. */
	private static final int HANGING = 20;

	/** Half of the threads of Tomcat. */
	private static final int READERS = 100;

	/** Threads that may wait for a lock in the moment in which they are counted. */
	private static final int PASSING = 20;

	/** How long others would wait if each attacker had a thread wait for a second. */
	private static final Duration ALL_THREADS_WAITING = Duration.ofSeconds(1).multipliedBy(ATTACKERS).dividedBy(200);

	private ConfigurableApplicationContext context;

	private Calls calls;

	@AfterEach
	void close() {
		this.calls.release().countDown();
		this.context.close();
	}

	@Test
	void clientsThatPingAndNeverReadAreCutOffAndNoInnocentOneIs() throws Exception {
		start("--sluice.websocket.outbound.send-time-limit=3s", "--sluice.websocket.heartbeat.interval=1s",
				"--sluice.websocket.heartbeat.timeout=4s");
		List<RawClient> innocent = connect("/typed", 20);
		List<RawClient> pinging = connect("/typed", 230);
		pinging.forEach(RawClient::keepPinging);
		exchangeUntilAlone(innocent);
		for (RawClient client : pinging) {
			assertThat(client.awaitCutOff(Duration.ofSeconds(20))).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw", "/stomp" })
	void afterResetsWhileSendingNothingIsCalledAndNothingIsLeft(String path) throws Exception {
		start();
		for (int round = 0; round < 40; round++) {
			List<RawClient> clients = connect(path, 50);
			for (RawClient client : clients) {
				for (int i = 0; i < 20; i++) {
					client.write(path.equals("/stomp") ? "SEND\ndestination:/app/x\n\nx\0" : "hello");
				}
				client.flush();
				client.reset();
			}
		}
		SequentialLeveledTaskExecutor inbound = this.context.getBean(SequentialLeveledTaskExecutor.class);
		await().atMost(Duration.ofSeconds(30)).until(() -> sessions().count() == 0);
		await().atMost(Duration.ofSeconds(30)).until(() -> inbound.snapshot(0).queues() == 0);
		assertThat(this.context.getBean("sluiceOutbound", SequentialLeveledTaskExecutor.class).snapshot(0).queues())
			.isZero();
		assertThat(this.calls.late()).isEmpty();
	}

	/** As many connections as are closed are opened anew, without end. */
	@Tag("tomcat")
	@Test
	void clientsThatCloseWithoutACodeBehindAMessageThatIsHandledKeepNobodyElseWaitingForLong() throws Exception {
		start("--sluice.execution.workers=20");
		AtomicBoolean over = new AtomicBoolean();
		List<CompletableFuture<Void>> attacks = IntStream.range(0, 16)
			.mapToObj((i) -> CompletableFuture.runAsync(() -> closeWithoutACodeUntil(over),
					(task) -> new Thread(task).start()))
			.toList();
		await().until(() -> this.calls.hanging().get() == 20);
		long longest = 0;
		for (int i = 0; i < 20; i++) {
			long start = System.nanoTime();
			try (RawClient other = new RawClient(port(), "/typed")) {
				other.ping("hello");
				assertThat(other.skipTo(RawClient.PONG)).asString().isEqualTo("hello");
			}
			longest = Math.max(longest, System.nanoTime() - start);
		}
		over.set(true);
		CompletableFuture.allOf(attacks.toArray(CompletableFuture[]::new)).join();
		assertThat(Duration.ofNanos(longest)).isLessThan(Duration.ofSeconds(10));
	}

	private void closeWithoutACodeUntil(AtomicBoolean over) {
		while (!over.get()) {
			List<RawClient> clients = connect("/hanging", 50);
			for (RawClient client : clients) {
				try {
					client.write("hello");
					client.writeEmptyClose();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
			clients.forEach(RawClient::close);
		}
	}

	/**
	 * The wait of others is measured against their wait beside clients that just close.
	 * They stay, as no worker is there to open their sessions, for which their end waits.
	 */
	@Tag("tomcat")
	@ParameterizedTest
	@EnumSource(Ending.class)
	void clientsThatEndBehindAMessageThatIsHandledKeepNobodyElseWaiting(Ending ending) throws Exception {
		start("--sluice.execution.workers=" + HANGING);
		List<RawClient> closing = connect("/hanging", ATTACKERS);
		List<RawClient> attackers = connect("/hanging", ATTACKERS);
		await().until(() -> this.calls.opened().get() == 2 * ATTACKERS);
		write(attackers, "hello");
		await().until(() -> this.calls.hanging().get() == HANGING);
		Others calm = whileEnding(closing, (client) -> client.writeClose(CloseStatus.NORMAL.getCode()));
		Others attacked = whileEnding(attackers, ending::end);
		assertThat(attacked.waiting()).isLessThanOrEqualTo(ending.maxWaiting + PASSING);
		assertThat(attacked.waited()).isLessThan(calm.waited().plus(ALL_THREADS_WAITING.dividedBy(2)));
	}

	private Others whileEnding(List<RawClient> clients, Attack attack) throws Exception {
		for (RawClient client : clients) {
			attack.end(client);
		}
		long start = System.nanoTime();
		int waiting = 0;
		for (int i = 0; i < OTHERS; i++) {
			RawClient other = connect("/typed", 1).get(0);
			other.ping("hello");
			assertThat(other.skipTo(RawClient.PONG)).asString().isEqualTo("hello");
			waiting = Math.max(waiting, waitingThreads());
		}
		return new Others(Duration.ofNanos(System.nanoTime() - start), waiting);
	}

	private static void write(List<RawClient> clients, String message) throws IOException {
		for (RawClient client : clients) {
			client.write(message);
			client.flush();
		}
	}

	/**
	 * Threads of Tomcat that wait in our code, however many others wait for a processor,
	 * and still do a little later: a lock is held for less than that.
	 */
	private static int waitingThreads() {
		Set<Thread> waiting = waitingNow();
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		waiting.retainAll(waitingNow());
		return waiting.size();
	}

	private static Set<Thread> waitingNow() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().contains("-exec-") && isWaiting(thread.getKey().getState()))
			.filter((thread) -> Arrays.stream(thread.getValue())
				.anyMatch((frame) -> frame.getClassName().startsWith("dev.sluice.websocket.")))
			.map(Map.Entry::getKey)
			.collect(Collectors.toCollection(HashSet::new));
	}

	private static boolean isWaiting(Thread.State state) {
		return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
	}

	@Test
	void whenAllWorkersAreBusyThenAllClientsSeeGoingAway() throws Exception {
		start("--sluice.execution.workers=20", "--sluice.websocket.shutdown-timeout=5s");
		List<RawClient> clients = connect("/hanging", 300);
		await().until(() -> sessions().find(ManagedSession.class, ManagedSession::isOpen).size() == clients.size());
		for (RawClient client : clients.subList(0, 40)) {
			client.write("hello");
			client.flush();
		}
		await().until(() -> this.calls.hanging().get() == 20);
		CompletableFuture<Void> stop = CompletableFuture.runAsync(this.context::close,
				(task) -> new Thread(task).start());
		for (RawClient client : clients) {
			assertThat(client.skipTo(RawClient.CLOSE)).startsWith(CloseStatus.GOING_AWAY.getCode() >> Byte.SIZE,
					CloseStatus.GOING_AWAY.getCode() & 0xFF);
			client.writeClose(CloseStatus.GOING_AWAY.getCode());
		}
		this.calls.release().countDown();
		stop.join();
	}

	@Test
	void stalledClientsOfSockJsKeepNobodyElseWaiting() throws Exception {
		start("--sluice.execution.workers=100", "--sluice.websocket.outbound.send-time-limit=10s");
		List<RawClient> innocent = connect("/typed", 20);
		List<RawClient> stalled = new ArrayList<>();
		for (int i = 0; i < 130; i++) {
			stalled.add(new RawClient(port(), "/sockjs/000/" + i + "/websocket"));
		}
		await().until(() -> sessions().count() == innocent.size() + stalled.size());
		String large = "x".repeat(1024 * 1024);
		for (ManagedSession session : sessions().find(ManagedSession.class,
				(session) -> sessions().typeOf(session).equals("handler"))) {
			session.post(large);
		}
		exchange(innocent);
		assertThat(sessions().count()).isEqualTo(innocent.size() + stalled.size());
		exchangeUntilAlone(innocent);
		stalled.forEach(RawClient::close);
	}

	/** They are answered while the others are there, and are left when those are not. */
	private void exchangeUntilAlone(List<RawClient> innocent) throws IOException {
		exchange(innocent);
		while (sessions().count() > innocent.size()) {
			exchange(innocent);
		}
		exchange(innocent);
	}

	private static void exchange(List<RawClient> clients) throws IOException {
		for (RawClient client : clients) {
			client.write("hello");
			client.flush();
		}
		for (RawClient client : clients) {
			assertThat(client.read()).isEqualTo("hello");
		}
	}

	private List<RawClient> connect(String path, int count) {
		return IntStream.range(0, count).mapToObj((i) -> new RawClient(port(), path)).toList();
	}

	private void start(String... arguments) {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "sluice.websocket.outbound.buffer-size-limit=20MB")
			.run(arguments);
		this.calls = this.context.getBean(Calls.class);
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	private WebSocketSessionManager sessions() {
		return this.context.getBean(WebSocketSessionManager.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Typed.class, Hanging.class })
	static class Application {

		@Bean
		static Calls calls() {
			return new Calls(ConcurrentHashMap.newKeySet(), new ConcurrentLinkedQueue<>(), new AtomicInteger(),
					new AtomicInteger(), new CountDownLatch(1));
		}

		/** What a client does not read is soon more than the server's socket takes. */
		@Bean
		static WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
			return (factory) -> factory
				.addConnectorCustomizers((connector) -> connector.setProperty("socket.txBufSize", "16384"));
		}

		@Bean
		WebSocketConfigurer handlers(Calls calls) {
			return (registry) -> {
				registry.addHandler(new RawEcho(calls), "/raw");
				registry.addHandler(new RawEcho(calls), "/sockjs").withSockJS();
			};
		}

	}

	/** What ends the connection of a client. */
	@FunctionalInterface
	private interface Attack {

		void end(RawClient client) throws IOException;

	}

	/** How long others have waited, and how many threads of Tomcat did at most. */
	private record Others(Duration waited, int waiting) {

	}

	/**
	 * An end of a connection, and how many threads may wait when many come at once, those
	 * whose handlers hang included.
	 */
	enum Ending {

		/** No thread waits for it. */
		CLOSE_WITHOUT_A_CODE(HANGING) {

			@Override
			void end(RawClient client) throws IOException {
				client.writeEmptyClose();
			}

		},

		/** Half of the threads wait for it. */
		INVALID_FRAME(READERS) {

			@Override
			void end(RawClient client) throws IOException {
				client.writeInvalid();
			}

		},

		/** Half of the threads wait for it. */
		RESET(READERS) {

			@Override
			void end(RawClient client) {
				client.reset();
			}

		};

		private final int maxWaiting;

		Ending(int maxWaiting) {
			this.maxWaiting = maxWaiting;
		}

		abstract void end(RawClient client) throws IOException;

	}

	/**
	 * Which sessions have ended, what was called for one after its end, and what hangs.
	 */
	record Calls(Set<Object> ended, Queue<Object> late, AtomicInteger opened, AtomicInteger hanging,
			CountDownLatch release) {

		void called(Object session, Object call) {
			if (this.ended.contains(session)) {
				this.late.add(Map.entry(session, call));
			}
		}

	}

	static class RawEcho extends TextWebSocketHandler {

		private final Calls calls;

		RawEcho(Calls calls) {
			this.calls = calls;
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			this.calls.called(session, message);
			session.sendMessage(message);
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			this.calls.ended().add(session);
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		private final Calls calls;

		Typed(Calls calls) {
			this.calls = calls;
		}

		@OnMessage
		String echo(String message) {
			this.calls.called(this, message);
			return message;
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.calls.ended().add(this);
		}

	}

	@WebSocketEndpoint("/hanging")
	static class Hanging extends ManagedSession {

		private final Calls calls;

		Hanging(Calls calls) {
			this.calls = calls;
		}

		@Override
		protected void onOpen() {
			this.calls.opened().incrementAndGet();
		}

		@OnMessage
		void hang(String message) throws InterruptedException {
			this.calls.hanging().incrementAndGet();
			this.calls.release().await();
		}

	}

}
