package dev.sluice.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;

import dev.sluice.test.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SluiceClientTests {

	private static final String SESSION = "{'type':'session','id':'n1','token':'t1','window':120}";

	private static final String JOINED = "{'type':'joined','topic':'room','at':'0'}";

	private static final String RESUMED = "{'type':'resumed','id':'n2','token':'t2','window':120,"
			+ "'recovered':{'room':true},'direct':true}";

	private final SettableClock clock = new SettableClock();

	private final List<ScriptedSocket> sockets = new ArrayList<>();

	private final List<String> events = new ArrayList<>();

	/** Stages that the listener returns, the next first. */
	private final Deque<CompletableFuture<?>> stages = new ArrayDeque<>();

	private @Nullable String stored;

	private double random = Math.nextDown(1.0);

	@Test
	void newSessionBeginsWithAResumeOfNothing() {
		SluiceClient client = connect();
		socket().open();
		assertThat(socket().sent).containsExactly("{'type':'resume'}");
		assertThat(client.state()).isEqualTo(ClientState.CONNECTING);
		assertThat(client.send(Map.of("text", "too early"))).isFalse();
		socket().say(SESSION, JOINED);
		assertThat(client.state()).isEqualTo(ClientState.OPEN);
		assertThat(client.send(Map.of("text", "hi"))).isTrue();
		assertThat(socket().sent).endsWith("{'text':'hi'}");
		assertThat(this.events).containsExactly("CONNECTING 0 null", "OPEN 0 null", "session n1 PT2M null");
	}

	@Test
	void lostConnectionIsResumedFromWhatWasReceivedAndAcknowledgedAtOnce() {
		open();
		CompletableFuture<?> handled = hold();
		socket().say("{'topic':'room','at':'5'}", "{'topic':'room','at':'6'}", "{'seq':1}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open();
		assertThat(socket().sent).containsExactly("{'type':'resume','token':'t1','at':{'room':'6'},'seq':1}");
		socket().say(RESUMED, "{'seq':1}", "{'topic':'room','at':'7'}");
		assertThat(socket().sent).endsWith("{'type':'ack','seq':1}");
		handled.complete(null);
		assertThat(messages()).containsExactly("room@5", "room@6", "#1", "room@7");
	}

	@Test
	void whatIsNamedIsStoredAsTheServerKeepsItNoMore() {
		open();
		hold();
		socket().say("{'seq':1}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open();
		assertThat(socket().sent.get(0)).endsWith("'seq':1}");
		assertThat(this.stored).endsWith("'seq':1,'waiting':[{'seq':1}]}");
	}

	@Test
	void numbersThatAreGivenAgainBehindALossAreNotTakenForDoubles() {
		open();
		CompletableFuture<?> handled = hold();
		socket().say("{'seq':1}", "{'seq':2}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say(RESUMED.replace("'direct':true", "'direct':false"), "{'seq':3}");
		handled.complete(null);
		assertThat(messages()).containsExactly("#1", "#2", "#3");
	}

	@Test
	void directMessagesAreAcknowledgedAfter32OfThemOrASecond() {
		open();
		hold();
		for (int seq = 1; seq <= 33; seq++) {
			socket().say("{'seq':" + seq + "}");
		}
		assertThat(socket().sent).hasSize(2).endsWith("{'type':'ack','seq':32}");
		this.clock.advance(Duration.ofMillis(999));
		assertThat(socket().sent).hasSize(2);
		this.clock.advance(Duration.ofMillis(1));
		assertThat(socket().sent).hasSize(3).endsWith("{'type':'ack','seq':33}");
	}

	@Test
	void backOffDoublesUpToHalfAMinuteAndBeginsAnewAfterAGreeting() {
		connect();
		for (int millis : new int[] { 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000 }) {
			socket().open().end(1006);
			int before = this.sockets.size();
			this.clock.advance(Duration.ofMillis(millis - 1));
			assertThat(this.sockets).hasSize(before);
			this.clock.advance(Duration.ofMillis(1));
			assertThat(this.sockets).hasSize(before + 1);
		}
		socket().open().say(SESSION).end(1006);
		assertThat(this.events).last().isEqualTo("WAITING 1006 PT0.499999999S");
	}

	@Test
	void goodbyeNamesTheTimeToComeBack() {
		open().say("{'type':'goodbye','reconnect':[2,6]}").end(1001);
		assertThat(this.events).last().isEqualTo("WAITING 1001 PT5.999999999S");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[0,0]", "[3,1]", "[-1,2]", "7", "['a','b']" })
	void goodbyeInThePlaceOfAGreetingDoesNotEndIt(String reconnect) {
		open().end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say("{'type':'goodbye','reconnect':" + reconnect + "}").end(1001);
		this.clock.advance(Duration.ofSeconds(1));
		socket().open();
		assertThat(socket().sent.get(0)).contains("'token':'t1'");
	}

	@Test
	void goodbyeWithoutACloseIsALoss() {
		open().say("{'type':'goodbye','reconnect':[0,0]}");
		this.clock.advance(Duration.ofSeconds(15));
		assertThat(this.sockets).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource({ "1000,true", "1001,false", "1002,true", "1003,true", "1005,false", "1006,false", "1007,true",
			"1008,true", "1009,true", "1011,false", "1012,false", "1013,false", "4000,true", "4408,false", "4409,true",
			"4500,false" })
	void codeOfACloseEndsTheSessionOrDoesNot(int code, boolean ends) {
		open();
		assertThat(this.stored).isNotNull();
		socket().end(code);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.sockets).hasSize(ends ? 1 : 2);
		assertThat(this.stored == null).isEqualTo(ends);
		assertThat(this.events.get(3)).startsWith((ends ? "CLOSED " : "WAITING ") + code);
	}

	@Test
	void requestToResumeThatCameLateIsSentAgainAtOnceWithTheSameToken() {
		open().end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say("{'type':'session','id':'other','token':'no','window':120}").end(4408);
		this.clock.advance(Duration.ZERO);
		socket().open();
		assertThat(socket().sent).containsExactly("{'type':'resume','token':'t1','at':{'room':'0'},'seq':0}");
		socket().end(4408);
		assertThat(this.events).last().isEqualTo("WAITING 4408 PT0.999999999S");
	}

	@Test
	void rejectedSessionLeavesNothingOfTheEarlierOne() {
		open();
		CompletableFuture<?> handled = hold();
		socket().say("{'seq':1}", "{'seq':2}", "{'topic':'room','at':'9'}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say(SESSION.replace("}", ",'rejected':'expired'}").replace("t1", "t9"), "{'seq':1}");
		handled.complete(null);
		assertThat(messages()).containsExactly("#1", "#1");
		assertThat(this.events).contains("session n1 PT2M expired");
		assertThat(this.stored).isEqualTo("{'token':'t9','at':{},'seq':1,'waiting':[]}");
	}

	@Test
	void resumeThatTheServerCannotReadIsGivenUpForANewSession() {
		open().end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().end(1009);
		this.clock.advance(Duration.ofSeconds(1));
		socket().open();
		assertThat(socket().sent).containsExactly("{'type':'resume'}");
		socket().end(1009);
		assertThat(this.events).last().isEqualTo("CLOSED 1009 null");
	}

	@Test
	void topicsThatTheSessionHasLeftAreNotNamedAgain() {
		open().say("{'type':'joined','topic':'left','at':'3'}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say(RESUMED).end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open();
		assertThat(socket().sent.get(0)).contains("'at':{'room':'0'}");
	}

	@Test
	void gapSetsThePositionOrHasItForgotten() {
		open().say("{'type':'gap','topic':'room','at':'8'}");
		assertThat(this.stored).contains("'at':{'room':'8'}");
		socket().say("{'type':'gap','topic':'room'}");
		assertThat(this.stored).contains("'at':{}");
		assertThat(this.events).contains("gap room 8", "gap room null");
	}

	@ParameterizedTest
	@EnumSource
	void positionIsStoredWhenTheDeliverySays(Delivery delivery) {
		connect((builder) -> builder.delivery(delivery));
		socket().open().say(SESSION, JOINED);
		CompletableFuture<?> handled = hold();
		socket().say("{'topic':'room','at':'5'}");
		assertThat(this.stored).contains((delivery == Delivery.AT_MOST_ONCE) ? "'room':'5'" : "'room':'0'");
		handled.complete(null);
		assertThat(this.stored).contains("'room':'5'");
	}

	@Test
	void clientThatIsStartedAgainResumesAndHandlesWhatWasNot() {
		open();
		hold();
		socket().say("{'topic':'room','at':'5'}", "{'seq':1}", "{'seq':2}");
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.stored).isEqualTo("{'token':'t1','at':{'room':'0'},'seq':2,'waiting':[{'seq':1},{'seq':2}]}");
		this.events.clear();
		connect();
		socket().open();
		assertThat(socket().sent).containsExactly("{'type':'resume','token':'t1','at':{'room':'0'},'seq':2}");
		socket().say(RESUMED, "{'topic':'room','at':'5'}");
		assertThat(messages()).containsExactly("#1", "#2", "room@5");
		assertThat(this.stored).isEqualTo("{'token':'t2','at':{'room':'5'},'seq':2,'waiting':[]}");
	}

	@Test
	void lossThatTheListenerWasNotToldOfIsToldByAClientThatIsStartedAgain() {
		open();
		hold();
		socket().say("{'topic':'room','at':'5'}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say(RESUMED.replace("'direct':true", "'direct':false"));
		assertThat(socket().sent).endsWith("{'type':'ack','seq':0}");
		this.events.clear();
		connect();
		socket().open().say(RESUMED.replace("t2", "t3"));
		assertThat(this.events).contains("resumed n2 false pending");
		socket().end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say(RESUMED.replace("t2", "t4"));
		assertThat(this.events).last().isEqualTo("resumed n2 true");
	}

	@Test
	void newSessionThatTheListenerWasNotToldOfIsToldByAClientThatIsStartedAgain() {
		open();
		hold();
		socket().say("{'topic':'room','at':'5'}").end(1006);
		this.clock.advance(Duration.ofMillis(500));
		socket().open().say("{'type':'session','id':'n8','token':'t8','window':120,'rejected':'expired'}");
		this.events.clear();
		connect();
		socket().open().say(RESUMED);
		assertThat(this.events).containsExactly("CONNECTING 0 null", "OPEN 0 null", "session n2 PT2M null");
	}

	@Test
	void lossBehindOneThatIsBeingToldIsToldToo() {
		open();
		CompletableFuture<?> handled = hold();
		socket().say("{'topic':'room','at':'5'}");
		for (String token : List.of("t2", "t3")) {
			socket().end(1006);
			this.clock.advance(Duration.ofMillis(500));
			socket().open().say(RESUMED.replace("t2", token).replace("'direct':true", "'direct':false"));
		}
		assertThat(this.stored).startsWith("{'token':'t3','pendingNews':'LOSS',");
		handled.complete(null);
		assertThat(this.events).filteredOn((event) -> event.startsWith("resumed"))
			.containsExactly("resumed n2 false pending", "resumed n2 false pending");
		assertThat(this.stored).startsWith("{'token':'t3','at':");
	}

	@Test
	void storeThatCannotBeReadOrWrittenIsReported() {
		this.stored = "no JSON";
		List<@Nullable String> saved = new ArrayList<>();
		connect((builder) -> builder.store(new SessionStore() {

			@Override
			public String load() {
				throw new IllegalStateException("load");
			}

			@Override
			public void save(@Nullable String session) {
				saved.add(session);
				if (session != null) {
					throw new IllegalStateException("save");
				}
			}

		}));
		socket().open().say(SESSION);
		assertThat(this.events).contains("error load", "error save");
		assertThat(saved).last().isNull();
	}

	@Test
	void whereTheQueueIsFullTheConnectionIsLeftUntilThereIsRoom() {
		connect((builder) -> builder.queueCapacity(2));
		socket().open().say(SESSION, JOINED);
		List<CompletableFuture<?>> handled = List.of(hold(), hold(), hold());
		socket().say("{'seq':1}", "{'seq':2}", "{'seq':3}", "{'seq':4}");
		assertThat(socket().closedWith).isEqualTo(4410);
		assertThat(this.sockets).hasSize(1);
		handled.get(0).complete(null);
		socket().say("{'seq':5}");
		assertThat(this.sockets).hasSize(2);
		socket().open();
		assertThat(socket().sent).containsExactly("{'type':'resume','token':'t1','at':{'room':'0'},'seq':3}");
		socket().say(RESUMED, "{'seq':4}");
		handled.get(1).complete(null);
		handled.get(2).complete(null);
		assertThat(messages()).containsExactly("#1", "#2", "#3", "#4");
	}

	@Test
	void connectionOnWhichNothingIsHeardIsReplaced() {
		open();
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(socket().pings).isEqualTo(1);
		socket().pong();
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(socket().pings).isEqualTo(2);
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(socket().closedWith).isEqualTo(4410);
		assertThat(this.events).last().asString().startsWith("WAITING 1006");
	}

	@Test
	void connectionThatIsNeverGreetedIsGivenUp() {
		connect();
		socket().open();
		this.clock.advance(Duration.ofMillis(15_500));
		assertThat(this.sockets).hasSize(2);
		assertThat(this.sockets.get(0).closedWith).isEqualTo(4410);
	}

	@Test
	void whatALeftConnectionSaysIsNotHeard() {
		SluiceClient client = connect();
		ScriptedSocket left = socket().open().say(SESSION, JOINED);
		client.reconnect();
		left.say("{'topic':'room','at':'9'}").end(4409);
		assertThat(this.sockets).hasSize(2);
		assertThat(messages()).isEmpty();
		assertThat(client.state()).isEqualTo(ClientState.CONNECTING);
	}

	@Test
	void frameThatCannotBeReadIsNotPassedOver() {
		open().say("{'topic':'room','at':'1'}", "[]");
		this.clock.advance(Duration.ofMillis(500));
		socket().open();
		assertThat(socket().sent.get(0)).contains("'at':{'room':'1'}");
		assertThat(this.events).contains("error A frame of the server is not a JSON object");
	}

	@Test
	void listenerThatFailsIsReportedAndTheNextMessageFollows() {
		open();
		CompletableFuture<?> failing = hold();
		socket().say("{'topic':'room','at':'1'}", "{'topic':'room','at':'2'}");
		failing.completeExceptionally(new IllegalStateException("planned"));
		assertThat(messages()).containsExactly("room@1", "room@2");
		assertThat(this.events).contains("error planned");
		assertThat(this.stored).contains("'room':'2'");
	}

	@Test
	void closeEndsTheSessionAndSuspendLeavesIt() {
		SluiceClient client = connect();
		socket().open().say(SESSION, JOINED);
		client.suspend();
		assertThat(socket().closedWith).isEqualTo(4410);
		assertThat(client.state()).isEqualTo(ClientState.CLOSED);
		assertThat(this.stored).contains("t1");
		client.close();
		client.reconnect();
		assertThat(this.sockets).hasSize(1);

		SluiceClient next = connect();
		socket().open().say(RESUMED);
		next.close();
		assertThat(socket().closedWith).isEqualTo(1000);
		assertThat(this.stored).isNull();
		assertThat(this.clock.scheduled()).as("aborts of the connections").isEqualTo(2);
	}

	@Test
	void executorThatRejectsTasksSuspendsIt() {
		open().end(1006);
		Executor rejecting = (task) -> {
			throw new RejectedExecutionException("stopped");
		};
		SluiceClient client = connect((builder) -> builder.executor(rejecting));
		assertThat(client.state()).isEqualTo(ClientState.CLOSED);
		assertThat(this.stored).contains("t1");
		assertThat(this.events).contains("error stopped");
	}

	@Test
	void messagesThatTheServerDoesNotTakeAreBounded() {
		SluiceClient client = connect();
		socket().open().say(SESSION);
		socket().stalled = true;
		for (int i = 0; i < 1000; i++) {
			assertThat(client.send(Map.of())).isTrue();
		}
		assertThat(client.send(Map.of())).isFalse();
	}

	@Test
	void wrongArgumentsSayWhatIsWrong() {
		SluiceClient client = connect();
		assertThatIllegalArgumentException().isThrownBy(() -> client.send("text"))
			.withMessage("'message' must become a JSON object, not STRING");
		assertThatIllegalArgumentException().isThrownBy(() -> client.send(Map.of("type", "ack")))
			.withMessage("'type' is one of the protocol: ack");
		assertThatIllegalArgumentException().isThrownBy(() -> connect((builder) -> builder.queueCapacity(0)))
			.withMessage("'queueCapacity' must be at least 1: 0");
		assertThatIllegalArgumentException().isThrownBy(() -> connect((builder) -> builder.pingInterval(Duration.ZERO)))
			.withMessage("'pingInterval' must be more than zero: PT0S");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> SluiceClient.builder(URI.create("http://test/"), new Listener()))
			.withMessage("'uri' must have the scheme 'ws' or 'wss': http://test/");
	}

	private ScriptedSocket open() {
		connect();
		return socket().open().say(SESSION, JOINED);
	}

	private SluiceClient connect() {
		return connect(UnaryOperator.identity());
	}

	private SluiceClient connect(UnaryOperator<SluiceClient.Builder> customizer) {
		SluiceClient.Builder builder = SluiceClient.builder(URI.create("ws://test/rooms"), new Listener())
			.store(new Store())
			.executor(Runnable::run)
			.scheduler(this.clock::schedule)
			.random(() -> (long) (this.random * (1L << 53)) << 11)
			.dialer((listener) -> {
				ScriptedSocket socket = new ScriptedSocket(listener);
				this.sockets.add(socket);
				return socket.opened;
			});
		return customizer.apply(builder).connect();
	}

	private ScriptedSocket socket() {
		return this.sockets.get(this.sockets.size() - 1);
	}

	/** Has the listener return a stage for the next message, which the test ends. */
	private CompletableFuture<?> hold() {
		CompletableFuture<?> stage = new CompletableFuture<>();
		this.stages.add(stage);
		return stage;
	}

	private List<String> messages() {
		return this.events.stream().filter((event) -> event.matches("\\w+@.*|#.*")).toList();
	}

	private final class Store implements SessionStore {

		@Override
		public @Nullable String load() {
			String stored = SluiceClientTests.this.stored;
			return (stored != null) ? stored.replace('\'', '"') : null;
		}

		@Override
		public void save(@Nullable String session) {
			SluiceClientTests.this.stored = (session != null) ? session.replace('"', '\'') : null;
		}

	}

	private final class Listener implements ClientListener {

		private final List<String> events = SluiceClientTests.this.events;

		@Override
		public @Nullable CompletionStage<?> onMessage(ClientMessage message) {
			this.events.add((message.topic() != null) ? message.topic() + "@" + message.json().path("at").asString()
					: "#" + message.number().orElseThrow());
			return SluiceClientTests.this.stages.poll();
		}

		@Override
		public @Nullable CompletionStage<?> onGap(TopicGap gap) {
			this.events.add("gap " + gap.topic() + " " + gap.position());
			return null;
		}

		@Override
		public void onSession(NewSession session) {
			this.events.add("session " + session.id() + " " + session.window() + " " + session.rejected());
		}

		@Override
		public void onResumed(ResumedSession session) {
			boolean pending = String.valueOf(SluiceClientTests.this.stored).contains("'pendingNews'");
			this.events.add("resumed " + session.id() + " " + session.direct() + (pending ? " pending" : ""));
		}

		@Override
		public void onStateChange(StateChange change) {
			this.events.add(change.state() + " " + change.closeCode() + " " + change.delay());
		}

		@Override
		public void onError(Throwable error) {
			this.events.add("error " + error.getMessage());
		}

	}

}
