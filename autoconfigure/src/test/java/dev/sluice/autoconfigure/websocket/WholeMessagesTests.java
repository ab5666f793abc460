package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketExtension;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.adapter.standard.WebSocketToStandardExtensionAdapter;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** What is written to a socket of Tomcat past its remote, and when that is told. */
@Tag("tomcat")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Timeout(30)
class WholeMessagesTests {

	private static final int MESSAGES = 20;

	private static final int MANY = 1_000;

	private static final int LIMIT = 4 * 1024 * 1024;

	/** The characters of a piece of a text. */
	private static final int PIECE = 4 * 1024;

	@LocalServerPort
	private int port;

	@Autowired
	private Opened opened;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private WebServerApplicationContext context;

	private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();

	private @Nullable Session client;

	/** What the client waits for before it reads on. */
	private final AtomicReference<CountDownLatch> reading = new AtomicReference<>(new CountDownLatch(0));

	@BeforeEach
	void forgetSessions() {
		await().until(() -> this.sessions.count() == 0);
		this.opened.sessions.clear();
	}

	@AfterEach
	void close() throws IOException {
		if (this.client != null) {
			this.client.close();
		}
	}

	static Stream<String> texts() {
		String three = "\u20ac";
		String four = "\ud83d\ude00";
		return Stream.concat(IntStream.of(0, 1, 125, 126, PIECE, PIECE + 1, 65_535, 65_536).mapToObj("x"::repeat),
				Stream.of(three.repeat(PIECE), "x".repeat(PIECE - 1) + four + three.repeat(2 * PIECE),
						three.repeat(1_000_000)));
	}

	@ParameterizedTest
	@MethodSource("texts")
	void aTextOfAnySizeArrivesAsItIs(String text) throws Exception {
		connect("/push");
		WebSocketSession session = this.opened.next();
		session.sendMessage(new TextMessage(text));
		session.sendMessage(new TextMessage("next"));
		assertThat(next().equals(text)).isTrue();
		assertThat(next()).isEqualTo("next");
	}

	@ParameterizedTest
	@MethodSource("texts")
	void aTextOfAnySizeIsCompressedForClientsThatAskForIt(String text) throws Exception {
		assertThat(connect("/push", "permessage-deflate").getNegotiatedExtensions()).extracting(Extension::getName)
			.containsExactly("permessage-deflate");
		WebSocketSession session = this.opened.next();
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		for (int i = 0; i < 2; i++) {
			session.sendMessage(new TextMessage(text));
			session.sendMessage(new BinaryMessage(bytes));
			assertThat(next().equals(text)).isTrue();
			assertThat(next()).isEqualTo(bytes);
		}
	}

	@Test
	void bytesArriveAsTheyAre() throws Exception {
		connect("/push");
		WebSocketSession session = this.opened.next();
		for (int size : new int[] { 0, 125, 126, 4096, 4097, 65_535, 65_536, 1_000_000 }) {
			byte[] bytes = new byte[size];
			new Random(size).nextBytes(bytes);
			session.sendMessage(new BinaryMessage(bytes));
			assertThat(next()).isEqualTo(bytes);
		}
	}

	/** Such bytes do not get less, and take several buffers of the extension. */
	@Test
	void bytesWithoutOrderAreCompressed() throws Exception {
		connect("/push", "permessage-deflate");
		WebSocketSession session = this.opened.next();
		byte[] bytes = new byte[100_000];
		new Random(1).nextBytes(bytes);
		session.sendMessage(new BinaryMessage(bytes));
		session.sendMessage(new TextMessage("next"));
		assertThat(next()).isEqualTo(bytes);
		assertThat(next()).isEqualTo("next");
	}

	@Test
	void aTextIsOneMessageBesideOthersThatComeInParts() throws Exception {
		connect("/push");
		WebSocketSession session = this.opened.next();
		session.sendMessage(new TextMessage("one"));
		session.sendMessage(new TextMessage("t", false));
		session.sendMessage(new TextMessage("wo", true));
		session.sendMessage(new TextMessage("three"));
		assertThat(List.of(next(), next(), next())).isEqualTo(List.of("one", "two", "three"));
	}

	@Test
	void aMessageWaitsForOneThatTheApplicationSendsInPartsByTheContainer() throws Exception {
		connect("/push");
		WebSocketSession session = this.opened.next();
		Session container = container(session);
		container.getBasicRemote().sendText("be", false);
		CompletableFuture<?> sent = CompletableFuture.runAsync(() -> send(session, "after"));
		container.getBasicRemote().sendText("fore", true);
		assertThat(next()).isEqualTo("before");
		assertThat(next()).isEqualTo("after");
		sent.join();
	}

	@Test
	void aMessageWaitsForAPingThatTheApplicationSendsByTheContainer() throws Exception {
		connect("/push");
		WebSocketSession session = this.opened.next();
		this.reading.set(new CountDownLatch(1));
		session.sendMessage(new TextMessage("first"));
		AtomicBoolean enough = new AtomicBoolean();
		Thread pinging = new Thread(() -> pingUntil(enough, container(session)));
		pinging.start();
		await().until(() -> pinging.getState() == Thread.State.TIMED_WAITING);
		send(session, "second");
		send(session, "third");
		this.reading.get().countDown();
		assertThat(List.of(next(), next(), next())).isEqualTo(List.of("first", "second", "third"));
		enough.set(true);
		pinging.join();
	}

	/** The other connector always tells on another thread. */
	@Test
	void aMessageThatGoesOutAtOnceIsToldSentToItsSenderAtOnce() throws Exception {
		assumeThat(protocol()).isEqualTo(Http11NioProtocol.class);
		connect("/push");
		ManagedSession session = managed();
		List<CompletableFuture<?>> sent = Stream.generate(() -> session.post("hello"))
			.limit(MESSAGES)
			.<CompletableFuture<?>>map((future) -> future)
			.toList();
		assertThat(sent).allMatch((future) -> future.isDone() && !future.isCompletedExceptionally());
		for (int i = 0; i < MESSAGES; i++) {
			assertThat(next()).isEqualTo("hello");
		}
	}

	@Test
	void manyMessagesAreSentAndToldSentInOrder() throws Exception {
		connect("/push");
		ManagedSession session = managed();
		Queue<Integer> told = new ConcurrentLinkedQueue<>();
		List<Integer> numbers = IntStream.range(0, MANY).boxed().toList();
		numbers.forEach((number) -> session.post("" + number).thenRun(() -> told.add(number)));
		for (int number : numbers) {
			assertThat(next()).isEqualTo("" + number);
		}
		await().untilAsserted(() -> assertThat(told).containsExactlyElementsOf(numbers));
	}

	@Test
	void theConnectorIsThatOfTheApplication() {
		TomcatWebServer server = (TomcatWebServer) this.context.getWebServer();
		assertThat(server.getTomcat().getConnector().getProtocolHandler()).isExactlyInstanceOf(protocol());
	}

	Class<?> protocol() {
		return Http11NioProtocol.class;
	}

	private ManagedSession managed() {
		await().until(() -> this.sessions.count() == 1);
		return this.sessions.find(ManagedSession.class, (any) -> true).iterator().next();
	}

	private Session connect(String path, String... extensions) throws Exception {
		SSLContext ssl = ssl();
		ClientEndpointConfig config = ClientEndpointConfig.Builder.create()
			.extensions(Stream.of(extensions)
				.<Extension>map((name) -> new WebSocketToStandardExtensionAdapter(new WebSocketExtension(name)))
				.toList())
			.sslContext(ssl)
			.build();
		URI server = URI.create(((ssl != null) ? "wss" : "ws") + "://localhost:" + this.port + path);
		Session client = ContainerProvider.getWebSocketContainer().connectToServer(new Client(), config, server);
		this.client = client;
		return client;
	}

	/** Returns what a client needs to trust the server, if that wants a secure one. */
	@Nullable SSLContext ssl() throws Exception {
		return null;
	}

	private Object next() throws InterruptedException {
		Object next = this.received.poll(SocketClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		assertThat(next).isNotNull();
		return next;
	}

	private static Session container(WebSocketSession session) {
		return ((NativeWebSocketSession) session).getNativeSession(Session.class);
	}

	private static void send(WebSocketSession session, String text) {
		try {
			session.sendMessage(new TextMessage(text));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void pingUntil(AtomicBoolean enough, Session container) {
		try {
			while (!enough.get()) {
				container.getBasicRemote().sendPing(ByteBuffer.allocate(125));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	static class Application {

		@Bean
		Opened opened() {
			return new Opened();
		}

		@Bean
		WebSocketConfigurer handlers(Opened opened) {
			return (registry) -> registry.addHandler(opened, "/push");
		}

	}

	/** The sessions of the handler that sends nothing by itself. */
	static class Opened extends TextWebSocketHandler {

		private final BlockingQueue<WebSocketSession> sessions = new LinkedBlockingQueue<>();

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			this.sessions.add(session);
		}

		WebSocketSession next() throws InterruptedException {
			WebSocketSession next = this.sessions.poll(SocketClient.PATIENCE.toSeconds(), TimeUnit.SECONDS);
			assertThat(next).isNotNull();
			return next;
		}

	}

	/** Keeps the messages that come. */
	private final class Client extends Endpoint {

		@Override
		public void onOpen(Session session, EndpointConfig config) {
			session.setMaxTextMessageBufferSize(LIMIT);
			session.setMaxBinaryMessageBufferSize(LIMIT);
			session.addMessageHandler(String.class, this::receive);
			session.addMessageHandler(byte[].class, this::receive);
		}

		private void receive(Object message) {
			WholeMessagesTests.this.received.add(message);
			try {
				assertThat(WholeMessagesTests.this.reading.get().await(20, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
