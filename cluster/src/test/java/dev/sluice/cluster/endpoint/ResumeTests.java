package dev.sluice.cluster.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.cluster.ResumeOutcome;
import dev.sluice.cluster.ResumeSnapshot;
import dev.sluice.cluster.TopicSnapshot;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.endpoint.ResumeNode.Told;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import dev.sluice.websocket.settings.WebSocketSettings;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that lose their connections and come back, to the same node or another. */
class ResumeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final HistoryLimits HISTORY = new HistoryLimits(5, Duration.ofMinutes(5));

	private static final HistoryLimits BRIEF = new HistoryLimits(5, Duration.ofMillis(100));

	/** So long that all of a brief history is forgotten. */
	private static final Duration QUIET = Duration.ofSeconds(20);

	private static final ResumeSettings SETTINGS = new ResumeSettings(Duration.ofMinutes(2), 4_000, 3, 1_000_000,
			false);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final ResumeNode one = node();

	private final ResumeNode other = node();

	private ResumeNode node() {
		return new ResumeNode(this.bus.connect(), this.clock, HISTORY, SETTINGS);
	}

	@AfterEach
	void close() {
		this.one.close();
		this.other.close();
	}

	private void publish(String text) {
		this.other.cluster.topic("lobby").publish(new Told(text)).join();
	}

	@Test
	void aNewSessionIsGreetedBeforeAllElse() {
		Client ann = this.one.open("ann");
		assertThat(ann.first().path("type").asString()).isEqualTo("session");
		assertThat(ann.first().path("token").asString()).hasSize(35);
		assertThat(ann.first().path("window").asDouble()).isEqualTo(120);
		assertThat(ann.first().path("id").asString()).isEqualTo(this.one.cluster.idOf(ann.session()));
		assertThat(ann.frames("joined")).singleElement().satisfies((joined) -> {
			assertThat(joined.path("topic").asString()).isEqualTo("lobby");
			assertThat(joined.path("at").asString()).startsWith("0.");
		});
		assertThat(this.one.hooks).containsExactly("open");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whoComesBackGetsAllThatWasMissed(boolean sameNode) {
		Client ann = this.one.open("ann");
		publish("1");
		ann.session().post(new Told("a"));
		ann.session().saveState("mine");
		ann.say("{\"type\":\"echo\",\"text\":\"b\"}");
		ann.lose();
		publish("2");
		publish("3");
		Client back = (sameNode ? this.one : this.other).resume(ann);
		publish("4");
		assertThat(ann.texts()).containsExactly("1", "a", "b");
		JsonNode resumed = back.first();
		assertThat(resumed.path("type").asString()).isEqualTo("resumed");
		assertThat(resumed.path("recovered").path("lobby").asBoolean()).isTrue();
		assertThat(resumed.path("direct").asBoolean()).isTrue();
		assertThat(back.texts()).containsExactly("2", "3", "4");
		assertThat(back.frames("joined")).isEmpty();
		assertThat(this.one.hooks).startsWith("open", "suspended");
		assertThat((sameNode ? this.one : this.other).hooks).endsWith("resume [lobby] direct true missed 2 state mine");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whoMissedNothingIsToldSoHoweverOldTheHistory(boolean published) {
		try (ResumeNode first = quietNode(); ResumeNode second = quietNode()) {
			Client before = first.open("ann");
			if (published) {
				publish("old", BRIEF);
			}
			this.clock.advance(QUIET);
			before.lose();
			this.clock.advance(QUIET);
			Client quiet = second.resume(before);
			assertThat(quiet.first().path("recovered").path("lobby").asBoolean()).isTrue();
			assertThat(quiet.frames("gap")).isEmpty();
			this.clock.advance(QUIET);
			quiet.lose();
			publish("new", BRIEF);
			Client after = first.resume(quiet);
			assertThat(after.first().path("recovered").path("lobby").asBoolean()).isTrue();
			assertThat(after.frames("gap")).isEmpty();
			assertThat(after.texts()).containsExactly("new");
		}
	}

	@Test
	void membersAreToldOfNoLossWhereSomebodyElseComesBack() {
		try (ResumeNode first = quietNode()) {
			Client ann = first.open("ann");
			Client bob = first.open("bob");
			publish("old", BRIEF);
			this.clock.advance(QUIET);
			bob.lose();
			publish("new", BRIEF);
			Client back = first.resume(bob);
			assertThat(back.texts()).containsExactly("new");
			assertThat(ann.texts()).containsExactly("old", "new");
			assertThat(ann.frames("gap")).isEmpty();
		}
	}

	private ResumeNode quietNode() {
		return new ResumeNode(this.bus.connect(), this.clock, BRIEF, SETTINGS);
	}

	private void publish(String text, HistoryLimits history) {
		String json = "{\"type\":\"told\",\"text\":\"" + text + "\"}";
		this.bus.connect()
			.publish(new Publication("t:lobby", "test." + text, "0:" + json.length() + ":" + json, history, false))
			.join();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void directMessagesThatWereNotReceivedFollowInOrder(boolean sameNode) {
		Client ann = this.one.open("ann");
		ann.session().post(new Told("a"));
		ann.gone = true;
		CompletableFuture<?> handed = ann.session().post(new Told("b"));
		ann.session().post("c");
		ManagedSession session = ann.session();
		ann.lose();
		CompletableFuture<?> late = session.post(new Told("d"));
		assertThat(handed).isCompleted();
		assertThat(late).isNotDone();
		Client back = (sameNode ? this.one : this.other).resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isTrue();
		assertThat(back.frames.subList(1, 4)).extracting((frame) -> frame.path("seq").asLong())
			.containsExactly(2L, 3L, 4L);
		assertThat(back.texts()).containsExactly("b", "d");
		assertThat(back.frames.get(2).path("data").asString()).isEqualTo("c");
		if (sameNode) {
			assertThat(late).isCompleted();
			session.post(new Told("e"));
			assertThat(back.texts()).containsExactly("b", "d", "e");
		}
		else {
			assertThat(late).failsWithin(PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(SessionClosedException.class);
		}
	}

	@Test
	void aTokenIsGoodForOneResumeOnceItIsAcknowledged() {
		Client ann = this.one.open("ann");
		ann.lose();
		Client lost = this.one.resume(ann);
		lost.lose();
		Client again = this.one.resume(ann);
		assertThat(again.first().path("type").asString()).isEqualTo("resumed");
		again.ack();
		again.lose();
		Client thief = this.one.resume(ann);
		assertThat(thief.first().path("type").asString()).isEqualTo("session");
		assertThat(thief.first().path("rejected").asString()).isEqualTo("expired");
		assertThat(this.one.resume(again).first().path("type").asString()).isEqualTo("resumed");
	}

	@Test
	void aTokenIsOfNoUseToAnotherPrincipal() {
		Client ann = this.one.open("ann");
		ann.lose();
		Client eve = this.one.connect("eve");
		eve.knows(ann);
		eve.say(eve.resumeFrame());
		assertThat(eve.first().path("rejected").asString()).isEqualTo("expired");
		assertThat(this.one.resume(ann).first().path("type").asString()).isEqualTo("resumed");
	}

	@Test
	void aTokenIsOfNoUseAtAnotherPath() {
		Client ann = this.one.open("ann");
		ann.lose();
		Client there = this.one.connect("ann");
		there.path = "/other";
		there.knows(ann);
		there.say(there.resumeFrame());
		assertThat(there.first().path("rejected").asString()).isEqualTo("expired");
	}

	@Test
	void whatIsNoTokenIsInvalidAndGuessesAreExpired() {
		for (String token : List.of("x", "", "k".repeat(12) + "." + "s".repeat(22))) {
			Client eve = this.one.connect("eve");
			eve.say("{\"type\":\"resume\",\"token\":\"" + token + "\",\"at\":{},\"seq\":0}");
			assertThat(eve.first().path("rejected").asString()).isEqualTo((token.length() > 1) ? "expired" : "invalid");
			assertThat(eve.frames("joined")).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"token\":1", "\"token\":\"x\",\"at\":1", "\"token\":\"x\",\"at\":{\"a\":1}",
			"\"token\":\"x\",\"at\":{},\"seq\":-1", "\"token\":\"x\",\"at\":{},\"seq\":\"1\"",
			"\"token\":\"x\",\"at\":{\"1\":\"1\",\"2\":\"1\",\"3\":\"1\",\"4\":\"1\",\"5\":\"1\",\"6\":\"1\",\"7\":\"1\",\"8\":\"1\",\"9\":\"1\"}" })
	void whatCannotBeReadIsClosed(String content) {
		Client eve = this.one.connect("eve");
		eve.say("{\"type\":\"resume\"," + content + "}");
		assertThat(eve.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(1008);
		assertThat(eve.frames).isEmpty();
	}

	@Test
	void whoSaysNothingGetsANewSessionAndAClientThatResumesThenIsClosed() {
		Client ann = this.one.connect("ann");
		this.clock.advance(Duration.ofMillis(4_900));
		assertThat(ann.frames).isEmpty();
		this.clock.advance(Duration.ofMillis(200));
		assertThat(ann.first().path("type").asString()).isEqualTo("session");
		ann.say("{\"type\":\"resume\"}");
		assertThat(ann.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(4408);
		assertThat(this.one.hooks).containsExactly("open", "close 4408");
	}

	@Test
	void whoSaysSomethingElseGetsANewSessionThatHandlesIt() {
		Client ann = this.one.connect("ann");
		ann.say("{\"type\":\"echo\",\"text\":\"hi\"}");
		assertThat(ann.frames).extracting((frame) -> frame.path("type").asString(""))
			.containsExactly("session", "joined", "");
		assertThat(ann.texts()).containsExactly("hi");
	}

	@Test
	void aSessionExpiresAfterTheWindow() {
		Client ann = this.one.open("ann");
		ann.lose();
		this.clock.advance(Duration.ofMinutes(2).minusMillis(1));
		assertThat(this.one.hooks).containsExactly("open", "suspended");
		this.clock.advance(Duration.ofMillis(2));
		assertThat(this.one.hooks).containsExactly("open", "suspended", "expired");
		assertThat(this.other.resume(ann).first().path("rejected").asString()).isEqualTo("expired");
	}

	@Test
	void aSessionThatIsClosedHasEnded() {
		Client ann = this.one.open("ann");
		ann.lose(CloseStatus.NORMAL);
		Client bob = this.one.open("bob");
		bob.session().close(CloseStatus.NORMAL);
		assertThat(this.one.hooks).containsExactly("open", "close 1000", "open", "close 1000");
		assertThat(this.one.resume(ann).first().path("rejected").asString()).isEqualTo("expired");
		assertThat(this.one.resume(bob).first().path("rejected").asString()).isEqualTo("expired");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theLaterConnectionWinsAndTheHalfOpenOneIsClosedAndFenced(boolean sameNode) {
		Client ann = this.one.open("ann");
		ManagedSession before = ann.session();
		ResumeNode node = sameNode ? this.one : this.other;
		Client back = node.resume(ann);
		assertThat(ann.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(4409);
		assertThat(back.first().path("type").asString()).isEqualTo("resumed");
		int frames = ann.frames.size();
		before.post(new Told("late"));
		publish("1");
		assertThat(ann.frames).hasSize(frames);
		assertThat(back.texts()).contains("1");
		Client again = this.one.resume(back);
		assertThat(back.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(4409);
		assertThat(again.first().path("type").asString()).isEqualTo("resumed");
		assertThat(this.one.hooks).containsSubsequence("open", "suspended");
	}

	@Test
	void whatTheHistoryDoesNotHoldAnyMoreIsToldOf() {
		Client ann = this.one.open("ann");
		publish("0");
		ann.lose();
		for (int number = 1; number < 10; number++) {
			publish("" + number);
		}
		Client back = this.one.resume(ann);
		assertThat(back.first().path("recovered").path("lobby").asBoolean()).isFalse();
		assertThat(back.frames("gap")).hasSize(1);
		publish("10");
		assertThat(back.texts()).containsExactly("10");
		back.lose();
		publish("11");
		Client again = this.one.resume(back);
		assertThat(again.first().path("recovered").path("lobby").asBoolean()).isTrue();
		assertThat(again.texts()).containsExactly("11");
	}

	@Test
	void aGapThatIsLostWithItsConnectionIsToldOfAgain() {
		Client ann = this.one.open("ann");
		publish("0");
		ann.lose();
		for (int number = 1; number < 10; number++) {
			publish("" + number);
		}
		ann.at.clear();
		Client deaf = this.one.resume(ann);
		assertThat(deaf.first().path("recovered").path("lobby").asBoolean()).isFalse();
		deaf.lose();
		Client back = this.one.resume(ann);
		assertThat(back.first().path("recovered").path("lobby").asBoolean()).isFalse();
		assertThat(back.frames("gap")).hasSize(1);
	}

	@Test
	void directMessagesThatFindNoRoomAreToldOfUntilTheClientKnows() {
		Client ann = this.one.open("ann");
		ManagedSession session = ann.session();
		ann.lose();
		CompletableFuture<?> last = null;
		for (int number = 0; number < 30; number++) {
			last = session.post(new Told("" + number));
		}
		assertThat(last).isCompletedExceptionally();
		Client back = this.one.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		assertThat(back.texts()).startsWith("0", "1", "2").hasSizeLessThan(30);
		back.lose();
		Client unsure = this.one.resume(back);
		assertThat(unsure.first().path("direct").asBoolean()).isFalse();
		unsure.ack();
		unsure.lose();
		assertThat(this.one.resume(unsure).first().path("direct").asBoolean()).isTrue();
	}

	@Test
	void aNodeThatStopsInOrderLeavesAllToTheOthers() {
		Client ann = this.one.open("ann");
		ann.session().post(new Told("a"));
		ann.gone = true;
		ann.session().post(new Told("b"));
		this.one.dispatcher.shutdown().drainAndClose(Duration.ofSeconds(5));
		Awaitility.await().atMost(PATIENCE).until(() -> ann.closed != null);
		ann.lose(CloseStatus.GOING_AWAY);
		this.one.close();
		Client back = this.other.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isTrue();
		assertThat(back.texts()).containsExactly("b");
	}

	@Test
	void aNodeThatDiesLeavesTheTopicsAndDirectIsNoLie() {
		Client ann = this.one.open("ann");
		publish("1");
		ann.session().post(new Told("a"));
		this.one.kill();
		ResumeNode third = node();
		publish("2");
		Client back = third.resume(ann);
		assertThat(back.first().path("recovered").path("lobby").asBoolean()).isTrue();
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		assertThat(back.texts()).containsExactly("2");
		third.close();
	}

	@Test
	void aRejectedResumeAtANodeThatStopsIsNoNewSession() {
		Client ann = this.one.open("ann");
		ann.lose();
		Client back = this.other.connect("ann");
		back.knows(ann);
		this.other.dispatcher.shutdown().drainAndClose(Duration.ofSeconds(5));
		back.say(back.resumeFrame());
		assertThat(back.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(1001);
		assertThat(back.frames("session")).isEmpty();
		assertThat(this.one.resume(ann).first().path("type").asString()).isEqualTo("resumed");
	}

	@Test
	void aNodeThatCannotAskKeepsTheTokenGood() {
		Client ann = this.one.open("ann");
		ann.lose();
		this.other.kill();
		Client back = this.other.resume(ann);
		assertThat(back.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(1013);
		assertThat(back.frames).isEmpty();
		assertThat(this.one.resume(ann).first().path("type").asString()).isEqualTo("resumed");
	}

	@Test
	void aSessionOfWhichNothingCanBeKeptHasNoTokenAndEndsWithItsConnection() {
		this.one.kill();
		Client ann = this.one.connect("ann");
		ann.say("{\"type\":\"echo\",\"text\":\"hi\"}");
		assertThat(ann.first().has("token")).isFalse();
		assertThat(this.one.hooks).startsWith("open");
	}

	@Test
	void anEarlyAcknowledgementIsTakenForTheLatest() {
		Client ann = this.one.open("ann");
		ann.gone = true;
		ann.session().post(new Told("a"));
		ann.say("{\"type\":\"ack\",\"seq\":1000}");
		ann.session().post(new Told("b"));
		ann.lose();
		Client back = this.one.resume(ann);
		assertThat(back.texts()).containsExactly("b");
	}

	@Test
	void aNumberThatWasNeverGivenLeavesRoomForThoseThatAreAcknowledged() {
		Client ann = this.one.open("ann");
		ann.lose();
		ann.seq = (1L << 53) - 1;
		Client back = this.one.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		back.seq = 0;
		back.session().post(new Told("a"));
		back.say("{\"type\":\"ack\",\"seq\":" + back.seq + "}");
		assertThat(back.texts()).containsExactly("a");
		assertThat(back.closed).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { " ", "\n", "\t\r\n " })
	void aFrameOfTheProtocolMayHaveBlanks(String before) {
		Client ann = this.one.connect("ann");
		ann.say(before + "{\"type\":\"resume\"}");
		assertThat(ann.first().path("type").asString()).isEqualTo("session");
		assertThat(ann.first().has("rejected")).isFalse();
		ann.say(before + "{\"type\":\"ack\",\"seq\":1}");
		assertThat(ann.frames).extracting((frame) -> frame.path("type").asString(""))
			.containsExactly("session", "joined");
	}

	@Test
	void aReplayDoesNotOverflowTheSendBufferOfASlowClient() throws Exception {
		ExecutorService sending = Executors.newCachedThreadPool();
		WebSocketSettings defaults = WebSocketSettings.defaults();
		SessionLimits limits = defaults.limits().withSend(new SendLimits(Duration.ofSeconds(10), 2_000));
		ResumeNode node = new ResumeNode(this.bus.connect(), this.clock, new HistoryLimits(50, Duration.ofMinutes(5)),
				SETTINGS, Runnable::run, sending, new WebSocketSettings(limits, defaults.liveness(), defaults.quota(),
						defaults.totals(), defaults.onThrottled(), defaults.typeProperty()));
		try {
			Client ann = node.open("ann");
			Awaitility.await().atMost(PATIENCE).until(() -> ann.frames.size() == 2);
			ann.gone = true;
			for (int number = 0; number < 8; number++) {
				ann.session().post(new Told("d" + number)).join();
			}
			ann.lose();
			for (int number = 0; number < 40; number++) {
				node.cluster.topic("lobby").publish(new Told("t" + number)).join();
			}
			Semaphore taken = new Semaphore(0);
			node.fault = (client) -> taken.acquireUninterruptibly();
			Client back = node.resume(ann);
			for (int number = 0; number < 5; number++) {
				node.cluster.topic("lobby").publish(new Told("t" + (40 + number))).join();
			}
			taken.release(1_000);
			Awaitility.await().atMost(PATIENCE).until(() -> back.texts().size() == 53);
			assertThat(back.closed).isNull();
			assertThat(back.texts().stream().filter((text) -> text.startsWith("t")).toList())
				.containsExactlyElementsOf(IntStream.range(0, 45).mapToObj((number) -> "t" + number).toList());
			assertThat(back.texts().stream().filter((text) -> text.startsWith("d")).toList())
				.containsExactlyElementsOf(IntStream.range(0, 8).mapToObj((number) -> "d" + number).toList());
		}
		finally {
			node.close();
			sending.shutdown();
		}
	}

	@Test
	void messagesThatCannotBeNumberedFail() {
		Client ann = this.one.open("ann");
		assertThat(ann.session().post(new byte[1])).isCompletedExceptionally();
		assertThat(ann.session().post(Map.of("seq", 1))).isCompletedExceptionally();
		assertThat(ann.session().post(Map.of("type", "goodbye"))).isCompletedExceptionally();
		assertThat(ann.session().saveState("x".repeat(4095))).isCompletedExceptionally();
		ann.session().post("{\"a\":1}");
		ann.session().post("{\"a\":");
		assertThat(ann.frames.get(2)).hasToString("{\"a\":1,\"seq\":1}");
		assertThat(ann.frames.get(3)).hasToString("{\"type\":\"message\",\"data\":\"{\\\"a\\\":\",\"seq\":2}");
	}

	@Test
	void thePrincipalWithMostSuspendedSessionsLosesItsOldest() {
		Client bob = this.one.open("bob");
		bob.lose();
		Client oldest = this.one.open("eve");
		oldest.lose();
		Client second = this.one.open("eve");
		second.lose();
		Client third = this.one.open("eve");
		third.lose();
		assertThat(this.one.hooks).containsOnlyOnce("expired");
		assertThat(this.one.resume(oldest).first().path("rejected").asString()).isEqualTo("expired");
		assertThat(this.one.resume(bob).first().path("type").asString()).isEqualTo("resumed");
	}

	@Test
	void aSlowHandlerIsWaitedForAndWhatItSaysFollows() throws Exception {
		ExecutorService workers = Executors.newCachedThreadPool();
		ResumeNode node = new ResumeNode(this.bus.connect(), this.clock, HISTORY, SETTINGS, workers, Runnable::run,
				WebSocketSettings.defaults());
		try {
			CountDownLatch working = new CountDownLatch(1);
			CountDownLatch done = new CountDownLatch(1);
			Client ann = node.open("ann");
			Awaitility.await().atMost(PATIENCE).until(() -> !ann.frames("joined").isEmpty());
			node.work = () -> {
				working.countDown();
				await(done);
			};
			workers.execute(() -> ann.say("{\"type\":\"work\"}"));
			assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();
			Client back = node.connect("ann");
			back.knows(ann);
			workers.execute(() -> back.say(back.resumeFrame()));
			Awaitility.await().atMost(PATIENCE).until(() -> ann.closed != null);
			assertThat(back.frames).isEmpty();
			done.countDown();
			Awaitility.await().atMost(PATIENCE).until(() -> back.texts().contains("worked"));
			assertThat(back.first().path("direct").asBoolean()).isTrue();
			assertThat(node.hooks).startsWith("open", "suspended");
		}
		finally {
			node.close();
			workers.shutdown();
		}
	}

	@Test
	void aHandlerThatIsTooSlowIsFencedAndDirectIsNoLie() throws Exception {
		ExecutorService workers = Executors.newCachedThreadPool();
		ResumeNode node = new ResumeNode(this.bus.connect(), this.clock, HISTORY, SETTINGS, workers, Runnable::run,
				WebSocketSettings.defaults());
		try {
			CountDownLatch working = new CountDownLatch(1);
			CountDownLatch done = new CountDownLatch(1);
			Client ann = node.open("ann");
			Awaitility.await().atMost(PATIENCE).until(() -> !ann.frames("joined").isEmpty());
			node.work = () -> {
				working.countDown();
				await(done);
			};
			workers.execute(() -> ann.say("{\"type\":\"work\"}"));
			assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();
			Client back = node.connect("ann");
			back.knows(ann);
			workers.execute(() -> back.say(back.resumeFrame()));
			Awaitility.await().atMost(PATIENCE).until(() -> ann.closed != null);
			this.clock.advance(Duration.ofSeconds(2));
			Awaitility.await().atMost(PATIENCE).until(() -> !back.frames.isEmpty());
			assertThat(back.first().path("direct").asBoolean()).isFalse();
			done.countDown();
			Awaitility.await().atMost(PATIENCE).until(() -> node.hooks.contains("close 4409"));
			assertThat(back.texts()).isEmpty();
			assertThat(node.hooks).doesNotContain("suspended");
		}
		finally {
			node.close();
			workers.shutdown();
		}
	}

	@Test
	void sessionsThatMayBeResumedAreCounted() {
		Client ann = this.one.open("ann");
		Client bob = this.one.open("bob");
		assertThat(resumes()).returns(2, ResumeSnapshot::resumable).returns(0, ResumeSnapshot::suspended);
		ann.gone = true;
		ann.session().post(new Told("kept"));
		assertThat(resumes().bytes()).isPositive();
		ann.lose();
		assertThat(resumes()).returns(2, ResumeSnapshot::resumable).returns(1, ResumeSnapshot::suspended);
		bob.lose(CloseStatus.NORMAL);
		this.one.resume(ann).ack();
		assertThat(resumes()).isEqualTo(new ResumeSnapshot(1, 0, 0, resumes().outcomes()));
	}

	@Test
	void attemptsToResumeAreCountedByTheirOutcome() {
		Client ann = this.one.open("ann");
		ann.session().post(new Told("a"));
		ann.lose();
		Client back = this.one.resume(ann);
		assertThat(outcomes()).isEqualTo(Map.of(ResumeOutcome.RECOVERED, 1L));
		back.lose();
		for (int number = 0; number < 9; number++) {
			publish("" + number);
		}
		this.one.resume(back);
		assertThat(outcomes()).isEqualTo(Map.of(ResumeOutcome.RECOVERED, 1L, ResumeOutcome.INCOMPLETE, 1L));
		Client eve = this.one.connect("eve");
		eve.knows(ann);
		eve.say(eve.resumeFrame());
		Client guess = this.one.connect("eve");
		guess.say("{\"type\":\"resume\",\"token\":\"x\"}");
		assertThat(outcomes()).containsEntry(ResumeOutcome.EXPIRED, 1L).containsEntry(ResumeOutcome.INVALID, 1L);
		this.one.kill();
		this.one.resume(back);
		assertThat(outcomes()).containsEntry(ResumeOutcome.UNAVAILABLE, 1L).hasSize(5);
	}

	private ResumeSnapshot resumes() {
		return this.one.cluster.snapshot(0).resume();
	}

	private Map<ResumeOutcome, Long> outcomes() {
		return resumes().outcomes()
			.entrySet()
			.stream()
			.filter((one) -> one.getValue() > 0)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void twoClaimsAtOnceLeaveOneConnection() throws Exception {
		for (int round = 0; round < 50; round++) {
			Client ann = this.one.open("ann");
			ann.lose();
			Client first = this.one.connect("ann");
			Client second = this.other.connect("ann");
			first.knows(ann);
			second.knows(ann);
			CountDownLatch go = new CountDownLatch(1);
			Thread thread = new Thread(() -> {
				await(go);
				first.say(first.resumeFrame());
			});
			thread.start();
			go.countDown();
			second.say(second.resumeFrame());
			thread.join();
			Awaitility.await().atMost(PATIENCE).until(() -> (first.closed == null) != (second.closed == null));
			publish("round " + round);
			Client winner = (first.closed == null) ? first : second;
			Client loser = (winner == first) ? second : first;
			assertThat(loser.closed).isNotNull().extracting(CloseStatus::getCode).isIn(1013, 4409);
			assertThat(loser.frames("resumed")).hasSize((loser.closed.getCode() == 4409) ? 1 : 0);
			assertThat(winner.texts()).contains("round " + round);
			winner.lose(CloseStatus.NORMAL);
		}
		assertThat(Stream.of(this.one, this.other)
			.flatMap((node) -> node.cluster.snapshot(0).resume().outcomes().values().stream())
			.mapToLong(Long::longValue)
			.sum()).isEqualTo(100);
	}

	@Test
	void aClaimThatIsRunLateDoesNotEndTheClientThatGaveItUp() {
		TappedBus late = new TappedBus(this.bus.connect());
		ResumeNode third = new ResumeNode(late.bus(), this.clock, HISTORY, SETTINGS);
		TappedBus slow = new TappedBus(this.bus.connect());
		ResumeNode fourth = new ResumeNode(slow.bus(), this.clock, HISTORY, SETTINGS);
		Client ann = this.one.open("ann");
		ann.lose();
		late.delayClaims();
		assertThat(third.resume(ann).closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(1013);
		slow.hold();
		try {
			Client back = fourth.resume(ann);
			late.release();
			this.clock.advance(Duration.ofSeconds(2));
			assertThat(back.frames).isEmpty();
			assertThat(back.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(1013);
			Client again = this.other.resume(ann);
			assertThat(again.first().path("type").asString()).isEqualTo("resumed");
			publish("1");
			assertThat(again.texts()).containsExactly("1");
		}
		finally {
			slow.release();
			third.close();
			fourth.close();
		}
	}

	@Test
	void aConnectionThatHasEndedClaimsNothing() throws Exception {
		Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
		AtomicReference<Executor> workers = new AtomicReference<>(Runnable::run);
		ResumeNode node = new ResumeNode(this.bus.connect(), this.clock, HISTORY, SETTINGS,
				(task) -> workers.get().execute(task), Runnable::run, WebSocketSettings.defaults());
		Client ann = this.one.open("ann");
		Client gone = node.connect("ann");
		gone.knows(ann);
		workers.set(tasks::add);
		Thread reader = new Thread(() -> gone.say(gone.resumeFrame()));
		reader.start();
		Awaitility.await().atMost(PATIENCE).until(() -> !tasks.isEmpty());
		gone.lose();
		reader.join();
		for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
			task.run();
		}
		workers.set(Runnable::run);
		node.close();
		publish("1");
		assertThat(ann.closed).isNull();
		assertThat(ann.texts()).containsExactly("1");
	}

	@Test
	void messagesBehindALossAreNoneThatTheClientMayHaveReceived() {
		Client ann = this.one.open("ann");
		for (String text : List.of("1", "2", "3")) {
			ann.session().post(new Told(text));
		}
		long received = ann.seq;
		this.one.kill();
		ann.seq = 0;
		Client back = this.other.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		back.session().post(new Told("4"));
		assertThat(back.seq).isGreaterThan(received);
		long again = back.seq;
		this.other.kill();
		back.seq = received;
		ResumeNode third = node();
		Client last = third.resume(back);
		last.session().post(new Told("5"));
		assertThat(last.seq).isGreaterThan(again);
		third.close();
	}

	@Test
	void aTopicThatWasLeftStaysLeft() {
		Client ann = this.one.open("ann");
		this.one.cluster.topic("lobby").leave(ann.session()).join();
		ann.lose();
		Client back = this.other.resume(ann);
		publish("1");
		assertThat(back.texts()).isEmpty();
		assertThat(back.frames("joined")).isEmpty();
	}

	@Test
	void aTopicThatIsLeftBeforeItIsJoinedStaysLeft() {
		TappedBus tap = new TappedBus(this.bus.connect());
		ResumeNode third = new ResumeNode(tap.bus(), this.clock, HISTORY, SETTINGS);
		Client ann = third.open("ann");
		CompletableFuture<@Nullable Position> held = tap.holdJoin();
		CompletableFuture<?> joined = third.cluster.topic("side").join(ann.session());
		CompletableFuture<Boolean> left = third.cluster.topic("side").leave(ann.session());
		held.complete(null);
		assertThat(joined).isCompleted();
		assertThat(left).isCompletedWithValue(true);
		ann.lose();
		assertThat(this.other.resume(ann).first().path("recovered").propertyNames()).containsExactly("lobby");
		third.close();
	}

	@Test
	void aTopicThatIsJoinedAgainIsLeftWithTheSessionThoughTheFirstJoinFails() {
		TappedBus tap = new TappedBus(this.bus.connect());
		ResumeNode third = new ResumeNode(tap.bus(), this.clock, HISTORY, SETTINGS);
		Client ann = third.open("ann");
		CompletableFuture<@Nullable Position> held = tap.holdJoin();
		CompletableFuture<?> failed = third.cluster.topic("side").join(ann.session());
		third.cluster.topic("side").leave(ann.session());
		CompletableFuture<?> joined = third.cluster.topic("side").join(ann.session());
		held.completeExceptionally(new BusUnavailableException("No answer in time", true, null));
		assertThat(failed).isCompletedExceptionally();
		assertThat(joined).isCompleted();
		assertThat(third.cluster.snapshot(9).largest()).extracting(TopicSnapshot::name).contains("side");
		ann.lose(CloseStatus.NORMAL);
		assertThat(third.cluster.snapshot(9).largest()).isEmpty();
		third.close();
	}

	@Test
	void whatIsClaimedWhileItsNodeStopsIsHandedOver() throws Exception {
		TappedBus tap = new TappedBus(this.bus.connect());
		ResumeNode third = new ResumeNode(tap.bus(), this.clock, HISTORY, SETTINGS);
		Client ann = this.one.open("ann");
		ann.gone = true;
		ann.session().post(new Told("a"));
		ann.lose();
		tap.hold();
		Client back = third.resume(ann);
		assertThat(back.frames).isEmpty();
		Thread stopping = new Thread(this.one::close);
		stopping.start();
		Awaitility.await().until(() -> stopping.getState() != Thread.State.RUNNABLE);
		tap.release();
		stopping.join();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(back.first().path("direct").asBoolean()).isTrue();
		assertThat(back.texts()).containsExactly("a");
		third.close();
	}

	@Test
	void aConnectionIsEndedWhoseNodeHasNotHeardThatItWasReplaced() {
		TappedBus tap = new TappedBus(this.bus.connect());
		ResumeNode third = new ResumeNode(tap.bus(), this.clock, HISTORY, SETTINGS);
		Client ann = third.open("ann");
		TappedBus deaf = new TappedBus(this.bus.connect());
		ResumeNode fourth = new ResumeNode(deaf.bus(), this.clock, HISTORY, SETTINGS);
		deaf.hold();
		Client back = fourth.resume(ann);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		assertThat(ann.closed).isNull();
		tap.interrupt();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(ann.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(4409);
		publish("1");
		assertThat(ann.texts()).isEmpty();
		assertThat(back.texts()).containsExactly("1");
		third.close();
		fourth.close();
	}

	@Test
	void aNodeThatHearsNothingIsNotWaitedFor() {
		TappedBus tap = new TappedBus(this.bus.connect());
		ResumeNode third = new ResumeNode(tap.bus(), this.clock, HISTORY, SETTINGS);
		Client ann = third.open("ann");
		TappedBus lonely = new TappedBus(this.bus.connect());
		ResumeNode fourth = new ResumeNode(lonely.bus(), this.clock, HISTORY, SETTINGS);
		lonely.lose();
		Client back = fourth.resume(ann);
		tap.interrupt();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		assertThat(ann.closed).isNotNull().extracting(CloseStatus::getCode).isEqualTo(4409);
		third.close();
		fourth.close();
	}

}
