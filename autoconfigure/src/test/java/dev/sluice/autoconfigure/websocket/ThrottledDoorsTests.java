package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every way to call a limited method takes exactly one permit a call, whatever else
 * proxies the bean. Each door has its own key of one limit.
 */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.throttles.doors.limit=100", "sluice.throttles.doors.period=1h" })
class ThrottledDoorsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private ThrottlingManager manager;

	@Autowired
	private Calls calls;

	@Autowired
	private LimitedService service;

	@Autowired
	private TransactionalService transactional;

	@Autowired
	private ApplicationEventPublisher events;

	@Autowired
	@Qualifier("clientInboundChannel")
	private MessageChannel clientInboundChannel;

	@ParameterizedTest
	@ValueSource(strings = { "message", "text", "text-transactional", "text-type", "typed", "typed-transactional",
			"typed-type", "from-handler", "from-session" })
	void socketMessage(String door) {
		try (SocketClient client = new SocketClient(this.port, "/" + door)) {
			client.send("message");
			awaitOneCall(door);
		}
		Awaitility.await().during(Duration.ofMillis(20)).until(() -> used(door) == 1);
	}

	@Test
	void stompMessage() {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setDestination("/app/stomp");
		headers.setSessionId("session");
		headers.setSessionAttributes(new HashMap<>());
		this.clientInboundChannel.send(MessageBuilder.createMessage("text", headers.getMessageHeaders()));
		awaitOneCall("stomp");
	}

	@Test
	void request() {
		RestClient.create("http://localhost:" + this.port).get().uri("/web").retrieve().toBodilessEntity();
		awaitOneCall("web");
	}

	@Test
	void service() {
		this.service.service();
		awaitOneCall("service");
	}

	@Test
	void serviceInATransaction() {
		this.transactional.call();
		awaitOneCall("service-transactional");
	}

	@Test
	void asynchronousCall() {
		this.service.async();
		awaitOneCall("async");
	}

	@Test
	void event() {
		this.events.publishEvent(new Happened());
		awaitOneCall("event");
	}

	@Test
	void scheduledCall() {
		awaitOneCall("scheduled");
	}

	private void awaitOneCall(String door) {
		Awaitility.await().until(() -> this.calls.of(door) == 1);
		assertThat(used(door)).isOne();
	}

	private int used(String door) {
		return this.manager.get("doors").state(door).used();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableAutoConfiguration
	@EnableScheduling
	@EnableTransactionManagement
	@EnableWebSocket
	@Import({ StompBroker.class, Calls.class, LimitedService.class, TransactionalService.class, WebController.class,
			StompController.class, MessageHandler.class, TextHandler.class, TransactionalHandler.class,
			LimitedHandler.class, CallingHandler.class, TypedSession.class, TransactionalSession.class,
			LimitedSession.class, CallingSession.class })
	static class Application {

		@Bean
		WebSocketConfigurer handlers(MessageHandler message, TextHandler text, TransactionalHandler transactional,
				LimitedHandler limited, CallingHandler calling) {
			return (registry) -> registry.addHandler(message, "/message")
				.addHandler(text, "/text")
				.addHandler(transactional, "/text-transactional")
				.addHandler(limited, "/text-type")
				.addHandler(calling, "/from-handler");
		}

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoTransactions();
		}

	}

	/** Counts the calls behind each door. */
	static class Calls {

		private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

		void add(String door) {
			this.counts.computeIfAbsent(door, (added) -> new AtomicInteger()).incrementAndGet();
		}

		int of(String door) {
			AtomicInteger count = this.counts.get(door);
			return (count != null) ? count.get() : 0;
		}

	}

	/** Something that happened. */
	record Happened() {
	}

	@Service
	static class LimitedService {

		private final Calls calls;

		LimitedService(Calls calls) {
			this.calls = calls;
		}

		@Throttled(value = "doors", key = "'service'")
		void service() {
			this.calls.add("service");
		}

		@Throttled(value = "doors", key = "#door")
		void from(String door) {
			this.calls.add(door);
		}

		@Async
		@Throttled(value = "doors", key = "'async'")
		public void async() {
			this.calls.add("async");
		}

		@EventListener
		@Throttled(value = "doors", key = "'event'")
		public void on(Happened event) {
			this.calls.add("event");
		}

		@Scheduled(fixedDelay = 3_600_000)
		@Throttled(value = "doors", key = "'scheduled'")
		public void scheduled() {
			this.calls.add("scheduled");
		}

	}

	@Service
	@Transactional
	static class TransactionalService {

		private final Calls calls;

		TransactionalService(Calls calls) {
			this.calls = calls;
		}

		@Throttled(value = "doors", key = "'service-transactional'")
		public void call() {
			this.calls.add("service-transactional");
		}

	}

	@RestController
	static class WebController {

		private final Calls calls;

		WebController(Calls calls) {
			this.calls = calls;
		}

		@GetMapping("/web")
		@Throttled(value = "doors", key = "'web'")
		String get() {
			this.calls.add("web");
			return "done";
		}

	}

	@Controller
	static class StompController {

		private final Calls calls;

		StompController(Calls calls) {
			this.calls = calls;
		}

		@MessageMapping("/stomp")
		@Throttled(value = "doors", key = "'stomp'")
		void handle(String text) {
			this.calls.add("stomp");
		}

	}

	static class MessageHandler extends TextWebSocketHandler {

		private final Calls calls;

		MessageHandler(Calls calls) {
			this.calls = calls;
		}

		@Override
		@Throttled(value = "doors", key = "'message'")
		public void handleMessage(WebSocketSession session, WebSocketMessage<?> message) {
			this.calls.add("message");
		}

	}

	static class TextHandler extends TextWebSocketHandler {

		private final Calls calls;

		TextHandler(Calls calls) {
			this.calls = calls;
		}

		@Override
		@Throttled(value = "doors", key = "'text'")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
			this.calls.add("text");
		}

	}

	@Transactional
	static class TransactionalHandler extends TextWebSocketHandler {

		private final Calls calls;

		TransactionalHandler(Calls calls) {
			this.calls = calls;
		}

		@Override
		@Throttled(value = "doors", key = "'text-transactional'")
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
			this.calls.add("text-transactional");
		}

	}

	@Throttled(value = "doors", key = "'text-type'")
	static class LimitedHandler extends TextWebSocketHandler {

		private final Calls calls;

		LimitedHandler(Calls calls) {
			this.calls = calls;
		}

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
			this.calls.add("text-type");
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		}

	}

	static class CallingHandler extends TextWebSocketHandler {

		private final LimitedService service;

		CallingHandler(LimitedService service) {
			this.service = service;
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
			this.service.from("from-handler");
		}

	}

	@WebSocketEndpoint("/typed")
	static class TypedSession extends ManagedSession {

		private final Calls calls;

		TypedSession(Calls calls) {
			this.calls = calls;
		}

		@OnMessage
		@Throttled(value = "doors", key = "'typed'")
		void handle(String text) {
			this.calls.add("typed");
		}

	}

	@Transactional
	@WebSocketEndpoint("/typed-transactional")
	static class TransactionalSession extends ManagedSession {

		private final Calls calls;

		TransactionalSession(Calls calls) {
			this.calls = calls;
		}

		@OnMessage
		@Throttled(value = "doors", key = "'typed-transactional'")
		public void handle(String text) {
			this.calls.add("typed-transactional");
		}

	}

	@Throttled(value = "doors", key = "'typed-type'")
	@WebSocketEndpoint("/typed-type")
	static class LimitedSession extends ManagedSession {

		private final Calls calls;

		LimitedSession(Calls calls) {
			this.calls = calls;
		}

		@Override
		protected void onOpen() {
		}

		@OnMessage
		void handle(String text) {
			this.calls.add("typed-type");
		}

		@Override
		protected void onClose(CloseStatus status) {
		}

	}

	@WebSocketEndpoint("/from-session")
	static class CallingSession extends ManagedSession {

		private final LimitedService service;

		CallingSession(LimitedService service) {
			this.service = service;
		}

		@OnMessage
		void handle(String text) {
			this.service.from("from-session");
		}

	}

	/** Begins and ends nothing. */
	static class NoTransactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
