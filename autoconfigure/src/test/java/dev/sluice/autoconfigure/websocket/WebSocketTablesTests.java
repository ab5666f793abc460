package dev.sluice.autoconfigure.websocket;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.fixture.PageTable;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The tables of messages, of frames and of close codes in {@code docs/websocket.md}: what
 * they say is asked of a real server.
 */
class WebSocketTablesTests {

	private static final Queue<CloseStatus> closed = new ConcurrentLinkedQueue<>();

	private static ConfigurableApplicationContext context;

	@AfterEach
	void stop() {
		context.close();
	}

	@TestFactory
	Stream<DynamicTest> messagesAreHandledAndAnsweredAsTheTablesSay() {
		start();
		return Stream.concat(methodsGetWhatTheTableSays(), framesAreThoseOfTheTable());
	}

	private static Stream<DynamicTest> methodsGetWhatTheTableSays() {
		return PageTable.of("websocket.md", "the method takes").row("a `String` | every text message", () -> {
			assertAnswers("/texts", "{\"type\":\"deposit\"}", "text {\"type\":\"deposit\"}");
			assertAnswers("/texts", "no JSON", "text no JSON");
		}).row("a `byte[]` or `ByteBuffer` | every binary message", () -> {
			for (String path : List.of("/texts", "/typed")) {
				try (SocketClient client = connect(path)) {
					client.sendBinary(new byte[3]);
					assertThat(client.next()).isEqualTo("3 bytes");
				}
			}
		})
			.row("anything, with `@OnMessage(\"deposit\")` | JSON whose `type` is `deposit`",
					() -> assertAnswers("/typed", "{\"type\":\"deposit\",\"amount\":7}", "deposit 7"))
			.row("a sealed interface | JSON whose `type` is the simple name of one of its records, decapitalised:"
					+ " `Deposit` is `deposit`", () -> {
						assertAnswers("/sealed", "{\"type\":\"deposit\",\"amount\":7}", "Deposit[amount=7]");
						assertAnswers("/sealed", "{\"type\":\"withdraw\",\"amount\":7}", "Withdraw[amount=7]");
					})
			.row("a map, `Object`, a `JsonNode`, a type with a `type` property of its own, or one with `@JsonTypeInfo`"
					+ " | all other JSON", () -> {
						assertAnswers("/typed", "{\"type\":\"other\",\"a\":1}", "map {type=other, a=1}");
						assertAnswers("/typed", "{\"a\":1}", "map {a=1}");
						assertAnswers("/own", "{\"type\":\"other\"}", "own other");
					})
			.row("another type | JSON whose `type` is its simple name, decapitalised",
					() -> assertAnswers("/typed", "{\"type\":\"withdraw\",\"amount\":7}", "withdraw 7"))
			.tests();
	}

	private static void assertAnswers(String path, String message, String answer) throws InterruptedException {
		try (SocketClient client = connect(path)) {
			client.send(message);
			assertThat(client.next()).isEqualTo(answer);
		}
	}

	private static Stream<DynamicTest> framesAreThoseOfTheTable() {
		return PageTable.of("websocket.md", "frame | when")
			.row("`{\"type\":\"throttled\",\"resource\":\"commands\",\"retryAfter\":0.7}`"
					+ " | a [limit](annotations.md) rejected it; `retryAfter` in seconds, where it is known", () -> {
						assertFrame(0, "/typed", "{\"type\":\"often\"}", "{\"type\":\"often\"}");
						assertThat(context.getBean(ThrottlingManager.class).get("once").tryAcquire().admitted())
							.isTrue();
						assertThat(frame("/typed", "{\"type\":\"once\"}").propertyNames()).containsExactly("type",
								"resource");
					})
			.row("`{\"type\":\"error\",\"reason\":\"unreadable\",\"detail\":...}` | it is no JSON, or does not have the"
					+ " form of its type; `detail` names the property, and the allowed values of an `enum`", () -> {
						assertFrame(1, "/typed", "{");
						assertThat(assertFrame(1, "/typed", "{\"type\":\"deposit\",\"amount\":{}}").at("/detail")
							.asString()).contains("'amount'");
					})
			.row("`{\"type\":\"error\",\"reason\":\"unknown-type\",\"detail\":...}` | no method is for it; `detail` names"
					+ " the types there are",
					() -> assertThat(assertFrame(2, "/sealed", "{\"type\":\"other\"}").at("/detail").asString())
						.contains("deposit, withdraw"))
			.row("`{\"type\":\"error\",\"reason\":\"invalid\",\"detail\":...}` | it is against the rules of its type, which"
					+ " `detail` names: a parameter with `@Valid` or `@Validated` is validated by the application's"
					+ " `Validator`",
					() -> assertThat(
							assertFrame(3, "/typed", "{\"type\":\"payment\",\"amount\":-1}").at("/detail").asString())
						.contains("must be positive"))
			.row("`{\"type\":\"error\",\"reason\":\"failed\"}` | its method threw, or its result cannot be written;"
					+ " `onError` is called first", () -> {
						assertFrame(4, "/typed", "{\"type\":\"fail\"}");
						assertFrame(4, "/typed", "{\"type\":\"unwritable\"}");
						try (SocketClient client = connect("/typed")) {
							client.send("{\"type\":\"tell\"}");
							assertThat(client.next(2)).containsExactly("onError told",
									"{\"type\":\"error\",\"reason\":\"failed\"}");
						}
					})
			.tests();
	}

	/** Sends messages, and expects the last answer to be the frame of a row. */
	private static JsonNode assertFrame(int row, String path, String... messages) throws InterruptedException {
		String example = PageTable.of("websocket.md", "frame | when").rows().get(row).get(0).replace("`", "");
		JsonNode expected = JsonMapper.shared().readTree(example.replace("...", "\"\""));
		JsonNode frame = frame(path, messages);
		assertThat(frame.propertyNames()).containsExactlyElementsOf(expected.propertyNames());
		expected.propertyStream().forEach((property) -> {
			JsonNode found = frame.get(property.getKey());
			assertThat(found.getNodeType()).isEqualTo(property.getValue().getNodeType());
			if (List.of("type", "reason").contains(property.getKey())) {
				assertThat(found).isEqualTo(property.getValue());
			}
		});
		return frame;
	}

	private static JsonNode frame(String path, String... messages) throws InterruptedException {
		try (SocketClient client = connect(path)) {
			Stream.of(messages).forEach(client::send);
			return JsonMapper.shared().readTree(client.next(messages.length).get(messages.length - 1));
		}
	}

	@TestFactory
	Stream<DynamicTest> closeCodesAreThoseOfTheTable() {
		start("--sluice.websocket.max-message-size=1KB", "--sluice.websocket.on-throttled=close",
				"--sluice.websocket.outbound.buffer-size-limit=1KB");
		return PageTable.of("websocket.md", "code | when")
			.row("1000 | `drainAndClose()`, or your handler closes without a status", () -> {
				assertCloses(1000, "/typed", "{\"type\":\"drain\"}");
				assertCloses(1000, "/raw", "close");
			})
			.row("1001 | the application stops; the session is idle; `abort()`",
					() -> assertTold(1001, "{\"type\":\"abort\"}"), "SessionLifeTests#anIdleSessionIsClosed",
					"ShutdownTests#whatWasQueuedIsHandledAndThenEveryClientSeesGoingAway")
			.row("1008 | an operator closed it; its id is in use; a message has too many empty parts, or is not complete"
					+ " within `sluice.websocket.message-time-limit`; a variable of its path makes the name of a"
					+ " [topic](cluster.md#topics-of-an-endpoint) too long; what it sends to [resume](protocol.md) cannot be"
					+ " read", "OperatedSessionsTests#aSessionIsShownAndClosedForABreachOfPolicy",
					"SessionFailuresTests#aSecondSessionOfTheSameIdIsClosedAndTakesNeitherAPlaceNorTheFirstOnesEnd",
					"MessagePartsTests#aMessageOfEmptyPartsEndsItsSession",
					"MessagePartsTests#aMessageThatIsNotCompleteInTimeEndsItsSession",
					"EndpointTopicsTests#aTopicWhoseNameAClientMakesTooLongClosesItsSession",
					"ResumeTests#whatCannotBeReadIsClosed")
			.row("1009 | a message is larger than `sluice.websocket.max-message-size`", () -> {
				assertCloses(1009, "/raw", "x".repeat(1025));
				assertAnswers("/raw", " ".repeat(1024), "");
			})
			.row("1011 | your handler threw, other than in a method of a typed session for a message", () -> {
				assertCloses(1011, "/raw", "throw");
				assertAnswers("/typed", "{\"type\":\"fail\"}", "{\"type\":\"error\",\"reason\":\"failed\"}");
				assertCloses(1011, "/unopened");
			})
			.row("1013 | too many sessions, where the handshake has not been rejected with status 503 for it: its own"
					+ " handler determined the principal, or several came at once; too many messages, of one or of all; a"
					+ " rejected message, with `sluice.websocket.on-throttled=close`; a"
					+ " [topic](cluster.md#topics-of-an-endpoint) of its endpoint cannot be joined; nobody can be asked"
					+ " whether it may [resume](resume.md), or another connection asks at the same time",
					() -> assertCloses(1013, "/typed", "{\"type\":\"often\"}", "{\"type\":\"often\"}"),
					"StarterPropertiesTests#sessionAboveTheMaximumIsClosedWhereTheHandshakeDeterminesThePrincipal",
					"OrderedHandlersTests#whenAQueueIsFullThenItsSessionIsClosed",
					"TotalBufferTests#whereTooMuchWaitsToBeHandledTheSessionWithMostOfItIsCutOff",
					"EndpointTopicsTests#aSessionThatCannotJoinIsClosed",
					"ResumeTests#aNodeThatCannotAskKeepsTheTokenGood",
					"ResumeTests#aClaimThatIsRunLateDoesNotEndTheClientThatGaveItUp")
			.row("4408 | it was to [resume](protocol.md#closes) first of all, and does so later",
					"ResumeTests#whoSaysNothingGetsANewSessionAndAClientThatResumesThenIsClosed")
			.row("4409 | another connection has [resumed](resume.md#one-connection) its session",
					"ResumedSessionsTests#theLaterConnectionWins")
			.row("4500 | the client does not read, or does not answer pings; a typed session sends more than may wait",
					() -> assertTold(4500, "{\"type\":\"flood\"}"),
					"SessionLifeTests#aSessionThatIsCutOffIsToldTheStatus",
					"SessionLivenessTests#aClientThatDoesNotAnswerAPingIsCutOff")
			.tests();
	}

	private static void assertCloses(int code, String path, String... messages) {
		try (SocketClient client = connect(path)) {
			Stream.of(messages).forEach(client::send);
			assertThat(client.closeCode()).isEqualTo(code);
		}
	}

	/** A client that is cut off sees no code, but its session does. */
	private static void assertTold(int code, String message) {
		await().until(() -> context.getBean(WebSocketSessionManager.class).count() == 0);
		closed.clear();
		try (SocketClient client = connect("/typed")) {
			client.send(message);
			await().untilAsserted(() -> assertThat(closed).extracting(CloseStatus::getCode).containsExactly(code));
		}
	}

	@TestFactory
	Stream<DynamicTest> callsThatSendAreWhatTheTableSays() {
		return PageTable.of("websocket.md", "call | place")
			.row("`send(message)` | before all that were posted and wait | when the container has sent it, or with the"
					+ " reason why not", "SessionOutboundTests#aHighMessageGoesBeforeTheNormalOnesThatWait",
					"SessionEndsTests#aBroadcastThatIsSentGoesBeforeOneThatIsPosted",
					"SessionOutboundTests#eachSendIsToldItsOwnOutcomeAndNoneIsStranded")
			.row("`post(message)` | behind all that wait | likewise",
					"SessionEndsTests#aBroadcastThatIsSentGoesBeforeOneThatIsPosted",
					"SessionOutboundTests#eachSendIsToldItsOwnOutcomeAndNoneIsStranded")
			.row("`WebSocketSession.sendMessage` | as `post` | returns when the message is queued, or throws",
					"SessionEndsTests#theOwnersBufferIsFreeAsSoonAsItsMessageIsQueued",
					"OrderedHandlersTests#repliesFromManyThreadsNeitherCollideNorLoseTheirOrder",
					"ClosedByContainerTests#sendersAreToldThatTheSessionIsClosed")
			.row("`submit(task)`, `execute(task)` | in the turn of the session, behind its messages | with the task",
					"SessionEndsTests#aTaskThatWasSubmittedBeforeTheEndRunsBeforeIt",
					"SessionEndsTests#aTaskThatComesAfterTheEndFailsAndLeavesNoQueue")
			.tests();
	}

	private static void start(String... arguments) {
		context = new SpringApplicationBuilder(Application.class).properties("server.port=0").run(arguments);
	}

	private static SocketClient connect(String path) {
		return new SocketClient(((WebServerApplicationContext) context).getWebServer().getPort(), path);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ Texts.class, Typed.class, Sealed.class, Own.class, Unopened.class })
	static class Application implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Raw(), "/raw");
		}

		@Bean
		Validator validator() {
			return Validator.forInstanceOf(Payment.class, (payment, errors) -> {
				if (payment.amount() < 0) {
					errors.rejectValue("amount", "negative", "must be positive");
				}
			});
		}

	}

	/** Closes, throws, or answers without space. */
	static class Raw extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			switch (message.getPayload()) {
				case "close" -> session.close();
				case "throw" -> throw new IllegalStateException("expected");
				default -> session.sendMessage(new TextMessage(message.getPayload().strip()));
			}
		}

	}

	sealed interface Command permits Deposit, Withdraw {

	}

	record Deposit(int amount) implements Command {

	}

	record Withdraw(int amount) implements Command {

	}

	record Payment(int amount) {

	}

	record Typeful(String type) {

	}

	@WebSocketEndpoint("/texts")
	static class Texts extends ManagedSession {

		@OnMessage
		String text(String message) {
			return "text " + message;
		}

		@OnMessage
		String binary(byte[] message) {
			return message.length + " bytes";
		}

	}

	@WebSocketEndpoint("/sealed")
	static class Sealed extends ManagedSession {

		@OnMessage
		String command(Command command) {
			return command.toString();
		}

	}

	@WebSocketEndpoint("/own")
	static class Own extends ManagedSession {

		@OnMessage
		String typeful(Typeful message) {
			return "own " + message.type();
		}

	}

	@WebSocketEndpoint("/unopened")
	static class Unopened extends ManagedSession {

		@Override
		protected void onOpen() {
			throw new IllegalStateException("expected");
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		String binary(ByteBuffer message) {
			return message.remaining() + " bytes";
		}

		@OnMessage("deposit")
		String deposit(Deposit deposit) {
			return "deposit " + deposit.amount();
		}

		@OnMessage
		String withdraw(Withdraw withdraw) {
			return "withdraw " + withdraw.amount();
		}

		@OnMessage
		String other(Map<String, Object> message) {
			return "map " + message;
		}

		@OnMessage
		String pay(@Validated Payment payment) {
			return "paid";
		}

		@OnMessage("often")
		@Throttled(value = "often", limit = 1, period = "1h", key = "#session.id")
		String often() {
			return "often";
		}

		@OnMessage("once")
		@Mutex("once")
		String once() {
			return "once";
		}

		@OnMessage("fail")
		void fail() {
			throw new IllegalStateException("expected");
		}

		@OnMessage("tell")
		void tell() {
			throw new IllegalArgumentException("told");
		}

		@OnMessage("unwritable")
		Object unwritable() {
			return new Object() {

				@SuppressWarnings("unused")
				public String getName() {
					throw new IllegalStateException("expected");
				}

			};
		}

		@OnMessage("drain")
		void drain() {
			drainAndClose();
		}

		@OnMessage("abort")
		void end() {
			abort();
		}

		@OnMessage("flood")
		void flood() {
			for (int i = 0; i < 100; i++) {
				post("x".repeat(1_000_000));
			}
		}

		@Override
		protected void onError(Throwable error) {
			if (error instanceof IllegalArgumentException) {
				post("onError " + error.getMessage());
			}
		}

		@Override
		protected void onClose(CloseStatus status) {
			closed.add(status);
		}

	}

}
