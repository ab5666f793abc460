package dev.sluice.autoconfigure.websocket.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.autoconfigure.fixture.RawClient;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.socket.WebSocketExtension;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.adapter.standard.WebSocketToStandardExtensionAdapter;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.server.standard.StandardWebSocketUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Messages of all sizes on connections whose buffers are small until one is larger. */
@Tag("sockets")
@Tag("tomcat")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Timeout(20)
class MessageBuffersTests {

	private static final int LIMIT = 64 * 1024;

	/** That of Tomcat, and of the application, which has set none. */
	private static final int CONTAINER_SIZE = 8 * 1024;

	private static final int SMALL = 1024;

	/** One to four bytes each. */
	private static final String CHARACTERS = "a\u00E4\u20AC\uD83D\uDE00";

	@LocalServerPort
	private int port;

	@Autowired
	private Application application;

	@BeforeEach
	void forget() {
		this.application.sessions.clear();
		this.application.messages.clear();
	}

	@Test
	void theBuffersAreSmallBeforeTheFirstMessageAndTheSizesThoseOfTheApplication() throws Exception {
		try (RawClient client = new RawClient(this.port, "/whole")) {
			Session session = session();
			awaitSmallBuffers(session);
			write(client, "hello");
			assertThat(next()).isEqualTo("hello");
			writeBinary(client, new byte[1]);
			assertThat(next()).isEqualTo(new byte[1]);
			assertBuffers(session, SMALL, SMALL);
			assertSizes(session, CONTAINER_SIZE, CONTAINER_SIZE);
		}
	}

	@Test
	void theBuffersAreThoseOfTheApplicationBehindALargerMessage() throws Exception {
		try (RawClient client = new RawClient(this.port, "/whole")) {
			Session session = session();
			write(client, text(CONTAINER_SIZE));
			assertThat(next()).isEqualTo(text(CONTAINER_SIZE));
			write(client, "hello");
			next();
			assertThat(capacity(session, "Text")).isEqualTo(CONTAINER_SIZE);
			writeBinary(client, new byte[1]);
			next();
			assertBuffers(session, CONTAINER_SIZE, CONTAINER_SIZE);
			assertSizes(session, CONTAINER_SIZE, CONTAINER_SIZE);
		}
	}

	@Test
	void sizesThatTheApplicationSetsHold() throws Exception {
		try (RawClient client = new RawClient(this.port, "/whole")) {
			Session session = session();
			awaitSmallBuffers(session);
			session.setMaxTextMessageBufferSize(SMALL / 2);
			session.setMaxBinaryMessageBufferSize(4 * SMALL);
			write(client, "hello");
			next();
			writeBinary(client, new byte[1]);
			next();
			assertBuffers(session, SMALL / 2, SMALL);
			writeBinary(client, new byte[2 * SMALL]);
			next();
			writeBinary(client, new byte[1]);
			next();
			assertBuffers(session, SMALL / 2, 4 * SMALL);
			assertSizes(session, SMALL / 2, 4 * SMALL);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, SMALL - 1, SMALL, SMALL + 1, 2 * SMALL, CONTAINER_SIZE - 1, CONTAINER_SIZE + 1,
			5 * CONTAINER_SIZE, LIMIT - 1 })
	void aMessageIsTakenWhole(int size) throws Exception {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		try (RawClient client = new RawClient(this.port, "/whole")) {
			for (int i = 0; i < 2; i++) {
				write(client, text(size));
				assertThat(next()).isEqualTo(text(size));
				writeBinary(client, bytes);
				assertThat(next()).isEqualTo(bytes);
			}
		}
	}

	/** Browsers compress what they send, where the container can read that. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, SMALL - 1, SMALL, SMALL + 1, CONTAINER_SIZE + 1, LIMIT - 1 })
	void aCompressedMessageIsTakenWhole(int size) throws Exception {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		ClientEndpointConfig compressing = ClientEndpointConfig.Builder.create()
			.extensions(List.of(new WebSocketToStandardExtensionAdapter(new WebSocketExtension("permessage-deflate"))))
			.build();
		try (Session client = ContainerProvider.getWebSocketContainer()
			.connectToServer(new Client(), compressing, URI.create("ws://localhost:" + this.port + "/whole"))) {
			assertThat(client.getNegotiatedExtensions()).extracting(Extension::getName)
				.containsExactly("permessage-deflate");
			for (int i = 0; i < 2; i++) {
				client.getBasicRemote().sendText(text(size));
				assertThat(next()).isEqualTo(text(size));
				client.getBasicRemote().sendBinary(ByteBuffer.wrap(bytes));
				assertThat(next()).isEqualTo(bytes);
			}
		}
	}

	/** The first byte may be a frame by itself, and so may the last. */
	@Test
	void charactersMayBeCutAnywhereBetweenFrames() throws Exception {
		String text = text(SMALL + 40);
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		try (RawClient client = new RawClient(this.port, "/whole")) {
			for (int cut = SMALL - 20; cut < SMALL + 20; cut++) {
				client.writeFirstTextPart(Arrays.copyOf(bytes, cut));
				client.writeNextPart(Arrays.copyOfRange(bytes, cut, cut + 1));
				client.writeLastPart(Arrays.copyOfRange(bytes, cut + 1, bytes.length));
				client.flush();
				assertThat(next()).isEqualTo(text);
			}
		}
	}

	@Test
	void messagesThatComeBeforeTheSessionIsOpenAreTakenInTheirOrder() throws Exception {
		for (int i = 0; i < 50; i++) {
			try (RawClient client = new RawClient(this.port, "/whole")) {
				client.write("");
				client.write("hello");
				client.flush();
				assertThat(next()).isEqualTo("");
				assertThat(next()).isEqualTo("hello");
			}
		}
	}

	@Test
	void aMessageThatIsTooLargeIsRejectedAsBefore() throws Exception {
		try (RawClient client = new RawClient(this.port, "/whole")) {
			client.writeFirstPart(new byte[LIMIT / 2]);
			client.writeNextPart(new byte[LIMIT / 2]);
			client.writeNextPart(new byte[1]);
			client.flush();
			assertThat(client.readCloseCode()).isEqualTo(1009);
		}
	}

	@Test
	void aHandlerThatTakesPartsGetsThemInTheSizeOfTheContainer() throws Exception {
		try (RawClient client = new RawClient(this.port, "/parts")) {
			client.writeBinary(new byte[2 * CONTAINER_SIZE]);
			client.flush();
			assertThat(next()).isEqualTo(new byte[CONTAINER_SIZE]);
			assertThat(next()).isEqualTo(new byte[CONTAINER_SIZE]);
		}
	}

	/** In front of the broker decorators are outside, and so is what an upgrade adds. */
	@ParameterizedTest
	@ValueSource(strings = { "/stomp", "/upgraded" })
	void decoratorsOfTheApplicationSeeTheMessagesOfTheClientOnlyAndInTheirSize(String path) throws Exception {
		String heartbeats = "\n".repeat(2 * SMALL);
		try (RawClient client = new RawClient(this.port, path)) {
			write(client, heartbeats);
			assertThat(next()).isEqualTo(heartbeats);
		}
	}

	@Test
	void messagesThatComeTogetherWithTheHandshakeAreTakenInTheirOrder() throws Exception {
		try (Socket socket = new Socket("localhost", this.port)) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			bytes.write(("GET /whole HTTP/1.1\r\nHost: localhost:" + this.port + "\r\nUpgrade: websocket\r\n"
					+ "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
					+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			bytes.write(new byte[] { (byte) 0x81, (byte) 0x80, 0, 0, 0, 0 });
			bytes.write(new byte[] { (byte) 0x81, (byte) 0x81, 0, 0, 0, 0, 'a' });
			bytes.write(new byte[] { (byte) 0x82, (byte) 0x80, 0, 0, 0, 0 });
			bytes.writeTo(socket.getOutputStream());
			assertThat(next()).isEqualTo("");
			assertThat(next()).isEqualTo("a");
			assertThat(next()).isEqualTo(new byte[0]);
		}
	}

	private Session session() throws InterruptedException {
		return Objects.requireNonNull(this.application.sessions.poll(10, TimeUnit.SECONDS));
	}

	private static void awaitSmallBuffers(Session session) {
		await().untilAsserted(() -> {
			assertBuffers(session, SMALL, SMALL);
			assertSizes(session, CONTAINER_SIZE, CONTAINER_SIZE);
		});
	}

	private static void assertSizes(Session session, int text, int binary) {
		assertThat(session.getMaxTextMessageBufferSize()).isEqualTo(text);
		assertThat(session.getMaxBinaryMessageBufferSize()).isEqualTo(binary);
	}

	private static void assertBuffers(Session session, int text, int binary) {
		assertThat(capacity(session, "Text")).isEqualTo(text);
		assertThat(capacity(session, "Binary")).isEqualTo(binary);
	}

	private static int capacity(Session session, String type) {
		Object frame = Objects.requireNonNull(ReflectionTestUtils.getField(session, "wsFrame"));
		return ((Buffer) Objects.requireNonNull(ReflectionTestUtils.getField(frame, "messageBuffer" + type)))
			.capacity();
	}

	/** Returns the payload of the next message that has been handled. */
	private Object next() throws InterruptedException {
		Object payload = Objects.requireNonNull(this.application.messages.poll(10, TimeUnit.SECONDS)).getPayload();
		return (payload instanceof ByteBuffer buffer) ? buffer.array() : payload;
	}

	private void writeBinary(RawClient client, byte[] bytes) throws IOException {
		client.writeBinary(bytes);
		client.flush();
	}

	private static void write(RawClient client, String text) throws IOException {
		client.writeText(text.getBytes(StandardCharsets.UTF_8));
		client.flush();
	}

	/** A text of so many bytes. */
	private static String text(int size) {
		int length = CHARACTERS.getBytes(StandardCharsets.UTF_8).length;
		return "b".repeat(size % length) + CHARACTERS.repeat(size / length);
	}

	/** Client that only sends. */
	private static final class Client extends Endpoint {

		@Override
		public void onOpen(Session session, EndpointConfig config) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@EnableWebSocketMessageBroker
	static class Application implements WebSocketConfigurer, WebSocketMessageBrokerConfigurer {

		private final BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();

		private final BlockingQueue<WebSocketMessage<?>> messages = new LinkedBlockingQueue<>();

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Whole(), "/whole");
			registry.addHandler(new Parts(), "/parts");
			registry.addHandler(new AbstractWebSocketHandler() {
			}, "/upgraded").setHandshakeHandler(new DefaultHandshakeHandler(new DecoratingStrategy()));
		}

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/topic");
		}

		@Override
		public void configureWebSocketTransport(WebSocketTransportRegistration registration) {
			registration.addDecoratorFactory(Watching::new);
		}

		private final class Watching extends WebSocketHandlerDecorator {

			Watching(WebSocketHandler handler) {
				super(handler);
			}

			@Override
			public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) throws Exception {
				Application.this.messages.add(message);
				super.handleMessage(session, message);
			}

		}

		private final class DecoratingStrategy extends StandardWebSocketUpgradeStrategy {

			@Override
			public void upgrade(ServerHttpRequest request, ServerHttpResponse response,
					@Nullable String selectedProtocol, List<WebSocketExtension> selectedExtensions,
					@Nullable Principal user, WebSocketHandler handler, Map<String, Object> attributes) {
				super.upgrade(request, response, selectedProtocol, selectedExtensions, user, new Watching(handler),
						attributes);
			}

		}

		private class Whole extends AbstractWebSocketHandler {

			@Override
			public void afterConnectionEstablished(WebSocketSession session) {
				Application.this.sessions
					.add(Objects.requireNonNull(((NativeWebSocketSession) session).getNativeSession(Session.class)));
			}

			@Override
			public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
				Application.this.messages.add(message);
			}

		}

		private final class Parts extends Whole {

			@Override
			public boolean supportsPartialMessages() {
				return true;
			}

		}

	}

}
