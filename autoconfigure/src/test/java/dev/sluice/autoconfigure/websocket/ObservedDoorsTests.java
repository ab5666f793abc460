package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.observation.LineObservationContext;
import dev.sluice.observation.MessageObservationContext;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is observed of messages and waits, whichever door they take. The registry refuses
 * what observations must not do, such as to end before their scopes.
 */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sluice.throttles.never.limit=1", "sluice.throttles.never.period=1h",
				"sluice.throttles.single.type=semaphore", "sluice.throttles.single.limit=1" })
class ObservedDoorsTests {

	private static final String HANDLING = "sluice.message.handling";

	private static final String SENDING = "sluice.message.sending";

	private static final String LINE = "sluice.throttle.line";

	@LocalServerPort
	private int port;

	@Autowired
	private Recorder recorder;

	@Autowired
	private TestObservationRegistry registry;

	@Autowired
	private ThrottlingManager limits;

	@Autowired
	private ThrottlingTemplate template;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private SequentialLeveledTaskExecutor inbound;

	private @Nullable Permit held;

	@AfterEach
	void forget() {
		release();
		await().until(() -> this.sessions.count() == 0 && this.inbound.snapshot(0).queues() == 0);
		await().until(() -> Stream.of(HANDLING, SENDING, LINE)
			.allMatch((name) -> this.recorder.ended(name).containsAll(this.recorder.started(name))));
		this.recorder.forget();
		this.registry.clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aMessageAndItsAnswerAreObservedAndTheOneIsTheParentOfTheOther(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("{\"type\":\"greet\"}");
			assertThat(client.next()).isEqualTo("{\"during\":\"" + HANDLING + "\"}");
			Observation.Context handling = ended(HANDLING);
			Observation.Context sending = ended(SENDING);
			assertThat(keys(handling)).isEqualTo(keys("completed", path));
			assertThat(keys(sending)).isEqualTo(keys("completed", path));
			assertThat(parentOf(sending)).isSameAs(handling);
			assertThat(handling.getParentObservation()).isNull();
			assertThat(this.recorder.eventsOf(handling)).containsExactly("start", "turn", "stop");
			assertThat(this.recorder.eventsOf(sending)).containsExactly("start", "turn", "stop");
			assertThat(handling.getHighCardinalityKeyValues())
				.containsExactly(KeyValue.of("message", path.equals("/typed") ? "greet" : "text"));
		}
	}

	@Test
	void aMessageOfStompAndItsAnswerAreObserved() throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/user/queue/answers");
			await().until(() -> this.recorder.ended(HANDLING).size() == 2);
			this.recorder.forget();
			client.send("/app/greet", "hello");
			assertThat(client.next()).isEqualTo(HANDLING);
			assertThat(keys(ended(HANDLING))).isEqualTo(keys("completed", "/stomp"));
			assertThat(ended(HANDLING).getHighCardinalityKeyValues())
				.containsExactly(KeyValue.of("message", "message"));
			awaitAnswerTo(ended(HANDLING));
		}
	}

	@Test
	void anAnswerThatComesLaterBelongsToItsMessage() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			client.send("{\"type\":\"later\"}");
			assertThat(client.next()).isEqualTo("{\"late\":true}");
			assertThat(parentOf(ended(SENDING))).isSameAs(ended(HANDLING));
		}
	}

	@Test
	void theNextMessagesTurnComesWhenTheOneBeforeHasEnded() throws InterruptedException {
		hold();
		try (SocketClient client = new SocketClient(this.port, "/raw")) {
			client.send("{\"type\":\"wait\"}");
			client.send("{\"type\":\"greet\"}");
			await().until(() -> this.recorder.started(HANDLING).size() == 2);
			release();
			client.next(2);
			await().until(() -> this.recorder.ended(HANDLING).size() == 2);
			List<Observation.Context> handlings = this.recorder.started(HANDLING);
			assertThat(this.recorder.indexOf("turn", handlings.get(1)))
				.isGreaterThan(this.recorder.indexOf("stop", handlings.get(0)));
			assertThat(this.recorder.indexOf("start", handlings.get(1)))
				.isLessThan(this.recorder.indexOf("stop", handlings.get(0)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/limited", "/stomp" })
	void aWaitInLineIsObservedAsPartOfTheMessageThatWaits(String path) throws Exception {
		hold();
		try (Client client = waiting(path)) {
			awaitInLine();
			release();
			assertThat(client.next()).contains(HANDLING);
			LineObservationContext line = (LineObservationContext) ended(LINE);
			assertThat(keys(line)).isEqualTo(Map.of("outcome", "admitted", "resource", "single"));
			assertThat(line.getContextualName()).isEqualTo("wait for single");
			Observation.Context handling = Objects.requireNonNull(parentOf(line));
			await().until(() -> this.recorder.ended(HANDLING).contains(handling));
			assertThat(keys(handling)).isEqualTo(keys("completed", path));
			assertThat(this.recorder.indexOf("stop", line)).isLessThan(this.recorder.indexOf("stop", handling));
			awaitAnswerTo(handling);
		}
	}

	private Client waiting(String path) throws Exception {
		if (!path.equals("/stomp")) {
			SocketClient client = new SocketClient(this.port, path);
			client.send("{\"type\":\"wait\"}");
			return new Client(client::next, client::close);
		}
		StompClient client = new StompClient(this.port, path);
		client.subscribe("/user/queue/answers");
		client.send("/app/wait", "");
		return new Client(client::next, client::close);
	}

	@Test
	void aClientThatGoesLeavesTheLine() throws Exception {
		hold();
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			client.send("{\"type\":\"wait\"}");
			awaitInLine();
			client.abort();
			LineObservationContext line = (LineObservationContext) ended(LINE);
			assertThat(line.getOutcome()).isEqualTo(LineObservationContext.Outcome.LEFT);
			assertThat(line.getError()).isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/never", "/stomp" })
	void aMessageThatALimitRejectsIsThrottledAndNoError(String path) throws Exception {
		this.limits.get("never").tryAcquire();
		Client client = rejected(path);
		try {
			await().until(() -> this.recorder.ended(HANDLING).stream().anyMatch(ObservedDoorsTests::isThrottled));
			assertThat(this.recorder.ended(HANDLING)).filteredOn(ObservedDoorsTests::isThrottled)
				.singleElement()
				.returns(null, Observation.Context::getError)
				.extracting(ObservedDoorsTests::keys)
				.isEqualTo(keys("throttled", path));
			assertThat(this.recorder.started(LINE)).isEmpty();
		}
		finally {
			client.close();
		}
	}

	private Client rejected(String path) throws Exception {
		if (!path.equals("/stomp")) {
			SocketClient client = new SocketClient(this.port, path);
			client.send("{\"type\":\"never\"}");
			return new Client(client::next, client::close);
		}
		StompClient client = new StompClient(this.port, path);
		client.send("/app/never", "");
		return new Client(client::next, client::close);
	}

	private static boolean isThrottled(Observation.Context context) {
		return ((MessageObservationContext) context).getOutcome() == MessageObservationContext.Outcome.THROTTLED;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/typed", "/raw" })
	void aFailureIsAnError(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("{\"type\":\"fail\"}");
			Observation.Context handling = ended(HANDLING);
			assertThat(keys(handling)).isEqualTo(keys("failed", path));
			assertThat(handling.getError()).hasMessage("Sorry");
		}
	}

	@Test
	void aFailureThatComesLaterIsAnError() {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			client.send("{\"type\":\"failLater\"}");
			assertThat(ended(HANDLING).getError()).hasMessage("Sorry");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\":\"none\"}", "{", "{\"type\":\"add\",\"amount\":\"many\"}" })
	void aMistakeOfAClientIsNoError(String message) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			client.send(message);
			assertThat(client.next()).contains("\"type\":\"error\"");
			Observation.Context handling = ended(HANDLING);
			assertThat(keys(handling)).isEqualTo(keys("invalid", "/typed"));
			assertThat(handling.getError()).isNull();
		}
	}

	@Test
	void aMessageBelongsToWhatTheThreadThatSendsItObserves() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/typed")) {
			await().until(() -> this.sessions.find(Typed.class, (session) -> true).size() == 1);
			Observation news = Observation.start("news", this.registry);
			news.scoped(() -> {
				this.sessions.sendToAll(Typed.class, (session) -> true, "news");
			});
			news.stop();
			assertThat(client.next()).isEqualTo("news");
			Observation.Context sending = ended(SENDING);
			assertThat(parentOf(sending)).isSameAs(news.getContext());
			assertThat(keys(sending)).isEqualTo(Map.of("level", "high", "outcome", "completed", "type", "Typed"));
		}
	}

	@Test
	void aCallInPlainCodeIsObservedWhileItWaits() {
		hold();
		Observation caller = Observation.start("caller", this.registry);
		CompletableFuture<String> answer = caller
			.scoped(() -> this.template.callAsync(() -> CompletableFuture.completedFuture(during(this.registry)),
					AcquireRequest.of("single").maxWait(SocketClient.PATIENCE)));
		awaitInLine();
		release();
		assertThat(answer).succeedsWithin(SocketClient.PATIENCE);
		caller.stop();
		assertThat(parentOf(ended(LINE))).isSameAs(caller.getContext());
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void aCallWhoseTimeIsOverIsRejected() {
		hold();
		CompletableFuture<String> answer = this.template.callAsync(() -> CompletableFuture.completedFuture("never"),
				AcquireRequest.of("single").maxWait(Duration.ofMillis(10)));
		assertThat(answer).failsWithin(SocketClient.PATIENCE);
		Observation.Context line = ended(LINE);
		assertThat(keys(line)).isEqualTo(Map.of("outcome", "rejected", "resource", "single"));
		assertThat(line.getError()).isNull();
	}

	private void hold() {
		this.held = this.limits.get("single").tryAcquire().permit();
	}

	private void release() {
		if (this.held != null) {
			this.held.close();
		}
	}

	private void awaitInLine() {
		await().until(() -> this.limits.get("single").state("").waiting() == 1);
	}

	/** Beside it, STOMP sends frames of its own. */
	private void awaitAnswerTo(Observation.Context handling) {
		await().until(() -> this.recorder.ended(SENDING).stream().anyMatch((sending) -> parentOf(sending) == handling));
	}

	private Observation.Context ended(String name) {
		await().until(() -> this.recorder.ended(name).size() == 1);
		return this.recorder.ended(name).get(0);
	}

	private static Observation.@Nullable Context parentOf(Observation.Context context) {
		return (context.getParentObservation() instanceof Observation parent) ? parent.getContext() : null;
	}

	private static Map<String, String> keys(Observation.Context context) {
		Map<String, String> keys = new HashMap<>();
		context.getLowCardinalityKeyValues().forEach((key) -> keys.put(key.getKey(), key.getValue()));
		return keys;
	}

	private static Map<String, String> keys(String outcome, String path) {
		String type = switch (path) {
			case "/typed" -> "Typed";
			case "/stomp" -> "stomp";
			default -> "handler";
		};
		return Map.of("level", "normal", "outcome", outcome, "type", type);
	}

	/** The name of what a thread observes. */
	private static String during(TestObservationRegistry registry) {
		Observation current = registry.getCurrentObservation();
		return (current != null) ? String.valueOf(current.getContext().getName()) : "nothing";
	}

	/** A client of any kind. */
	private record Client(Received received, Runnable closing) implements AutoCloseable {

		String next() throws InterruptedException {
			return this.received.next();
		}

		@Override
		public void close() {
			this.closing.run();
		}

		private interface Received {

			String next() throws InterruptedException;

		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Recorder.class, Typed.class, Raw.class, Limited.class, Never.class, Greeter.class })
	static class Application {

		/** Something could pass, so sessions are read ahead. */
		@Bean
		static LevelResolver levels() {
			return (session, message) -> null;
		}

		@Bean
		TestObservationRegistry observations() {
			return TestObservationRegistry.create();
		}

		@Bean
		WebSocketConfigurer handlers(Raw raw, Limited limited, Never never) {
			return (registry) -> registry.addHandler(raw, "/raw")
				.addHandler(limited, "/limited")
				.addHandler(never, "/never");
		}

	}

	@WebSocketEndpoint(path = "/typed")
	static class Typed extends ManagedSession {

		private final TestObservationRegistry registry;

		Typed(TestObservationRegistry registry) {
			this.registry = registry;
		}

		@OnMessage("greet")
		Greeting greet() {
			return new Greeting(during(this.registry));
		}

		@OnMessage
		void add(Add add) {
		}

		@OnMessage("later")
		CompletableFuture<Later> later() {
			return CompletableFuture.supplyAsync(() -> new Later(true));
		}

		@OnMessage("fail")
		void fail() {
			throw new IllegalStateException("Sorry");
		}

		@OnMessage("failLater")
		CompletableFuture<?> failLater() {
			return CompletableFuture.runAsync(this::fail);
		}

		@OnMessage("wait")
		@Semaphore("single")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		Greeting await() {
			return new Greeting(during(this.registry));
		}

		@OnMessage("never")
		@Throttled("never")
		void never() {
		}

	}

	record Greeting(String during) {

	}

	record Later(boolean late) {

	}

	record Add(int amount) {

	}

	static class Raw extends TextWebSocketHandler {

		@Autowired
		private TestObservationRegistry registry;

		@Autowired
		private ThrottlingTemplate template;

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			if (message.getPayload().contains("fail")) {
				throw new IllegalStateException("Sorry");
			}
			if (message.getPayload().contains("wait")) {
				this.template.call(() -> "", AcquireRequest.of("single").maxWait(SocketClient.PATIENCE));
			}
			session.sendMessage(new TextMessage("{\"during\":\"" + during(this.registry) + "\"}"));
		}

	}

	static class Limited extends TextWebSocketHandler {

		@Autowired
		private TestObservationRegistry registry;

		@Override
		@Semaphore("single")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		public void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			session.sendMessage(new TextMessage(during(this.registry)));
		}

	}

	static class Never extends TextWebSocketHandler {

		@Override
		@Throttled("never")
		public void handleTextMessage(WebSocketSession session, TextMessage message) {
		}

	}

	@Controller
	static class Greeter {

		@Autowired
		private TestObservationRegistry registry;

		@MessageMapping("/greet")
		@SendToUser("/queue/answers")
		String greet() {
			return during(this.registry);
		}

		@MessageMapping("/wait")
		@Semaphore("single")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		@SendToUser("/queue/answers")
		String await() {
			return during(this.registry);
		}

		@MessageMapping("/never")
		@Throttled("never")
		void never() {
		}

	}

	/** Notes what becomes of observations, in order. */
	static class Recorder implements ObservationHandler<Observation.Context> {

		private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

		@Override
		public void onStart(Observation.Context context) {
			note("start", context);
		}

		@Override
		public void onEvent(Observation.Event event, Observation.Context context) {
			note(event.getName(), context);
		}

		@Override
		public void onStop(Observation.Context context) {
			note("stop", context);
		}

		private void note(String event, Observation.Context context) {
			if (String.valueOf(context.getName()).startsWith("sluice.")) {
				this.entries.add(new Entry(event, context));
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		void forget() {
			this.entries.clear();
		}

		List<Observation.Context> started(String name) {
			return all("start", name);
		}

		List<Observation.Context> ended(String name) {
			return all("stop", name);
		}

		private List<Observation.Context> all(String event, String name) {
			return this.entries.stream()
				.filter((entry) -> entry.event().equals(event) && name.equals(entry.context().getName()))
				.map(Entry::context)
				.toList();
		}

		List<String> eventsOf(Observation.Context context) {
			return this.entries.stream().filter((entry) -> entry.context() == context).map(Entry::event).toList();
		}

		int indexOf(String event, Observation.Context context) {
			return List.copyOf(this.entries).indexOf(new Entry(event, context));
		}

		private record Entry(String event, Observation.Context context) {

			@Override
			public boolean equals(Object other) {
				return other instanceof Entry entry && this.event.equals(entry.event) && this.context == entry.context;
			}

			@Override
			public int hashCode() {
				return this.event.hashCode();
			}

		}

	}

}
