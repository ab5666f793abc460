package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.TooManyTopicsException;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.TopicMessage;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A topic with members on two nodes, whose bus loses what a test says. */
class TopicTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final TestNode one = new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 4);

	private final TestNode other = new TestNode(this.bus.connect(), Runnable::run, this.clock, this.sending::add, 4);

	private final TestNode.Client ann = this.one.open("ann", null);

	private final TestNode.Client bob = this.other.open("bob", null);

	private final Topic room = this.one.cluster.topic("room");

	private final Topic otherRoom = this.other.cluster.topic("room");

	@Test
	void membersOfAllNodesGetWhatIsPublishedFromNowOn() {
		String before = this.room.publish("nobody").join();
		assertThat(this.room.join(this.ann.session()).join()).isEqualTo(before);
		assertThat(this.otherRoom.join(this.bob.session()).join()).isEqualTo(before);
		String at = this.otherRoom.publish(new Said("said", "hi")).join();
		write();
		String frame = "{\"type\":\"said\",\"text\":\"hi\",\"topic\":\"room\",\"at\":\"" + at + "\"}";
		assertThat(this.ann.sent).containsExactly(frame);
		assertThat(this.bob.sent).containsExactly(frame);
		assertThat(at).startsWith("2." + this.other.bus.node() + ".");
	}

	@Test
	void whatIsNoObjectIsPutIntoOne() {
		this.room.join(this.ann.session());
		String text = this.room.publish("a \"text\"").join();
		String list = this.room.publish(List.of(1, 2)).join();
		String empty = this.room.publish(Map.of()).join();
		assertThat(this.ann.sent).containsExactly(
				"{\"type\":\"message\",\"data\":\"a \\\"text\\\"\",\"topic\":\"room\",\"at\":\"" + text + "\"}",
				"{\"type\":\"message\",\"data\":[1,2],\"topic\":\"room\",\"at\":\"" + list + "\"}",
				"{\"topic\":\"room\",\"at\":\"" + empty + "\"}");
	}

	@Test
	void whatCannotBePublishedFails() {
		assertThat(this.room.publish(new byte[1])).isCompletedExceptionally();
		assertThat(this.room.publish(Map.of("topic", "mine"))).isCompletedExceptionally();
		assertThat(this.room.post(Map.of("at", "mine"))).isCompletedExceptionally();
		assertThatIllegalArgumentException().isThrownBy(() -> this.room.history(-1));
	}

	@Test
	void aPostTellsWhatHasBecomeOfIt() {
		this.room.join(this.ann.session());
		this.otherRoom.join(this.bob.session());
		CompletableFuture<Delivery> posted = this.room.post("hello");
		assertThat(posted).isNotDone();
		write();
		assertThat(posted).isCompletedWithValue(new Delivery(2, 0, 0, Set.of(), Map.of()));
		assertThat(this.one.cluster.topic("empty").post("hello"))
			.isCompletedWithValue(new Delivery(0, 0, 0, Set.of(), Map.of()));
	}

	@Test
	void whoLeavesGetsNothingMore() {
		this.room.join(this.ann.session());
		assertThat(this.room.leave(this.ann.session())).isCompletedWithValue(true);
		assertThat(this.room.leave(this.ann.session())).isCompletedWithValue(false);
		assertThat(this.room.post("late").join().sent()).isZero();
		assertThat(this.ann.sent).isEmpty();
		assertThat(this.one.bus.route("t:room", "frame").join()).isEmpty();
	}

	@Test
	void whoEndsLeavesAllTopics() {
		this.room.join(this.ann.session());
		this.one.cluster.topic("second").join(this.ann.session());
		assertThat(this.otherRoom.members().join().sessions()).extracting(SessionInfo::id)
			.containsExactly(this.ann.clusterId());
		this.ann.leave();
		assertThat(this.one.bus.route("t:room", "frame").join()).isEmpty();
		assertThat(this.one.bus.route("t:second", "frame").join()).isEmpty();
		assertThat(this.room.join(this.ann.session())).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withCauseInstanceOf(SessionClosedException.class);
	}

	@Test
	void aSessionJoinsABoundedNumberOfTopics() {
		for (String name : List.of("a", "b", "c", "c")) {
			this.one.cluster.topic(name).join(this.ann.session()).join();
		}
		assertThat(this.room.join(this.ann.session())).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withCauseInstanceOf(TooManyTopicsException.class);
		this.one.cluster.topic("a").leave(this.ann.session());
		assertThat(this.room.join(this.ann.session())).isCompleted();
	}

	@Test
	void aJoinThatFailsTakesNoPlace() {
		this.one.bus.unavailable = true;
		for (int attempt = 0; attempt < 5; attempt++) {
			assertThat(this.room.join(this.ann.session())).isCompletedExceptionally();
		}
		this.one.bus.unavailable = false;
		assertThat(this.room.join(this.ann.session())).isCompleted();
		assertThat(this.room.post("hello").join().sent()).isOne();
	}

	@Test
	void whatWasMissedIsHealedByTheNextMessage() {
		this.room.join(this.ann.session());
		publish("1");
		this.one.bus.deaf = true;
		publish("2", "3");
		this.one.bus.deaf = false;
		assertThat(texts(this.ann)).containsExactly("1");
		publish("4");
		assertThat(texts(this.ann)).containsExactly("1", "2", "3", "4");
	}

	@Test
	void whatWasMissedIsHealedAfterAnInterruption() {
		this.room.join(this.ann.session());
		this.one.bus.deaf = true;
		publish("1", "2");
		this.one.bus.deaf = false;
		this.one.bus.interrupt();
		assertThat(texts(this.ann)).containsExactly("1", "2");
		this.one.bus.interrupt();
		publish("3");
		assertThat(texts(this.ann)).containsExactly("1", "2", "3");
	}

	@Test
	void whereMoreIsLostThanTheHistoryHoldsAGapIsTold() {
		this.room.join(this.ann.session());
		publish("1");
		this.one.bus.deaf = true;
		publish("2", "3", "4", "5", "6", "7");
		this.one.bus.deaf = false;
		publish("8");
		assertThat(texts(this.ann)).containsExactly("1", "gap", "5", "6", "7", "8");
		assertThat(List.copyOf(this.ann.sent).get(1).toString()).as("of the latest that is missing")
			.contains("\"at\":\"4.");
	}

	@Test
	void anInterruptionIsHealedLaterWhereTheBusIsUnavailable() {
		this.room.join(this.ann.session());
		this.one.bus.deaf = true;
		publish("1");
		this.one.bus.deaf = false;
		this.one.bus.unavailable = true;
		this.one.bus.interrupt();
		assertThat(texts(this.ann)).isEmpty();
		this.one.bus.unavailable = false;
		this.clock.advance(TIMEOUT);
		assertThat(texts(this.ann)).containsExactly("1");
	}

	@Test
	void messagesThatWaitLeaveRoomForThoseWhoJoin() {
		Queue<Runnable> workers = new ArrayDeque<>();
		TestNode busy = new TestNode(this.bus.connect(), workers::add, this.clock, Runnable::run, 2_000);
		TestNode.Client cid = busy.open("cid", null);
		Topic hall = busy.cluster.topic("hall");
		hall.join(cid.session());
		work(workers);
		List<String> texts = IntStream.range(0, 1_500).mapToObj(Integer::toString).toList();
		texts.forEach((text) -> hall.publish(text).join());
		List<CompletableFuture<?>> joins = new ArrayList<>();
		for (int number = 0; number < 1_500; number++) {
			joins.add(hall.join(busy.open("late-" + number, null).session()));
		}
		work(workers);
		assertThat(joins).allMatch((join) -> join.isDone() && !join.isCompletedExceptionally());
		assertThat(texts(cid)).isEqualTo(texts);
		busy.close();
	}

	@Test
	void messagesThatTakeATurnTogetherStayBeforeAndBehindThoseWhoJoinAndLeave() {
		Queue<Runnable> workers = new ArrayDeque<>();
		TestNode busy = new TestNode(this.bus.connect(), workers::add, this.clock, Runnable::run, 4);
		List<TestNode.Client> clients = Stream.of("cid", "dan", "eve").map((name) -> busy.open(name, null)).toList();
		Topic hall = busy.cluster.topic("hall");
		hall.join(clients.get(0).session());
		hall.join(clients.get(1).session());
		work(workers);
		hall.publish("1").join();
		hall.publish("2").join();
		hall.leave(clients.get(1).session());
		hall.join(clients.get(2).session());
		hall.publish("3").join();
		hall.publish("4").join();
		work(workers);
		assertThat(texts(clients.get(0))).containsExactly("1", "2", "3", "4");
		assertThat(texts(clients.get(1))).containsExactly("1", "2");
		assertThat(texts(clients.get(2))).containsExactly("3", "4");
		busy.close();
	}

	@Test
	void whatWasMissedBetweenMessagesThatTakeATurnTogetherIsHealed() {
		Queue<Runnable> workers = new ArrayDeque<>();
		TestNode busy = new TestNode(this.bus.connect(), workers::add, this.clock, Runnable::run, 4);
		TestNode.Client cid = busy.open("cid", null);
		busy.cluster.topic("room").join(cid.session());
		work(workers);
		publish("1");
		busy.bus.deaf = true;
		publish("2");
		busy.bus.deaf = false;
		publish("3", "4");
		busy.cluster.topic("room").post("5");
		work(workers);
		assertThat(texts(cid)).containsExactly("1", "2", "3", "4", "5");
		assertThat(busy.cluster.snapshot(0).heals()).isOne();
		busy.close();
	}

	@Test
	void whoLeavesAndJoinsAgainIsAMemberThoughAnotherWaitsToJoin() {
		Queue<Runnable> workers = new ArrayDeque<>();
		TestNode busy = new TestNode(this.bus.connect(), workers::add, this.clock, Runnable::run, 4);
		TestNode.Client cid = busy.open("cid", null);
		Topic hall = busy.cluster.topic("hall");
		hall.join(cid.session());
		work(workers);
		hall.join(busy.open("dan", null).session());
		CompletableFuture<Boolean> left = hall.leave(cid.session());
		hall.join(cid.session());
		work(workers);
		assertThat(left).isCompletedWithValue(true);
		hall.publish("1").join();
		work(workers);
		assertThat(texts(cid)).containsExactly("1");
		busy.close();
	}

	@Test
	void whoJoinsAndLeavesIsNoMemberThoughTheBusWasNotThereForTheJoin() {
		Queue<Runnable> workers = new ArrayDeque<>();
		TestNode busy = new TestNode(this.bus.connect(), workers::add, this.clock, Runnable::run, 4);
		ManagedSession cid = busy.open("cid", null).session();
		Topic hall = busy.cluster.topic("hall");
		CompletableFuture<String> joined = hall.join(cid);
		CompletableFuture<Boolean> left = hall.leave(cid);
		busy.bus.unavailable = true;
		work(workers);
		busy.bus.unavailable = false;
		assertThat(joined).isCompletedExceptionally();
		assertThat(left).isCompletedWithValue(false);
		hall.join(cid);
		left = hall.leave(cid);
		work(workers);
		assertThat(left).isCompletedWithValue(true);
		assertThat(busy.cluster.snapshot(hall.name())).isEmpty();
		busy.close();
	}

	@Test
	void whatFoundNoRoomIsReadThoughNothingFollows() {
		Queue<Runnable> workers = new ArrayDeque<>();
		TestNode busy = new TestNode(this.bus.connect(), workers::add, this.clock, Runnable::run, 4);
		TestNode.Client cid = busy.open("cid", null);
		busy.cluster.topic("room").join(cid.session());
		work(workers);
		for (int place = 0; place < 1_024; place++) {
			busy.cluster.topic("room").leave(busy.open("other-" + place, null).session());
		}
		publish("1");
		work(workers);
		assertThat(texts(cid)).isEmpty();
		this.clock.advance(TIMEOUT);
		work(workers);
		assertThat(texts(cid)).containsExactly("1");
		busy.close();
	}

	private static void work(Queue<Runnable> workers) {
		for (Runnable next = workers.poll(); next != null; next = workers.poll()) {
			next.run();
		}
	}

	@Test
	void aPostThatWasMissedIsFoundByAsking() {
		this.otherRoom.join(this.bob.session());
		this.other.bus.deaf = true;
		CompletableFuture<Delivery> posted = this.room.post("missed");
		this.other.bus.deaf = false;
		this.clock.advance(TIMEOUT.dividedBy(2));
		write();
		assertThat(posted).isCompletedWithValue(new Delivery(1, 0, 0, Set.of(), Map.of()));
		assertThat(texts(this.bob)).containsExactly("missed");
	}

	@Test
	void aPostThatIsLostForGoodFails() {
		this.otherRoom.join(this.bob.session());
		this.other.bus.deaf = true;
		CompletableFuture<Delivery> posted = this.room.post("lost");
		publish("2", "3", "4", "5", "6");
		this.other.bus.deaf = false;
		this.clock.advance(TIMEOUT.dividedBy(2));
		write();
		assertThat(posted).isCompletedWithValue(new Delivery(0, 1, 0, Set.of(), Map.of(Delivery.LOST, 1)));
		assertThat(texts(this.bob)).startsWith("gap");
	}

	@Test
	void aPublicationWithoutAnAnswerIsRepeatedAndNotDoubled() {
		this.room.join(this.ann.session());
		this.one.bus.unansweredOnce = true;
		assertThat(this.room.publish("once")).isCompleted();
		assertThat(texts(this.ann)).containsExactly("once");
	}

	@Test
	void aPublicationThatCannotBeRepeatedIsUndecided() {
		this.otherRoom.join(this.bob.session());
		this.one.bus.breaking = true;
		assertUndecided(this.room.publish("published"));
		this.one.bus.unavailable = false;
		assertUndecided(this.room.post("posted"));
		write();
		assertThat(texts(this.bob)).containsExactly("published", "posted");
	}

	private static void assertUndecided(CompletableFuture<?> future) {
		assertThat(future).failsWithin(TIMEOUT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(BusUnavailableException.class,
					(failure) -> assertThat(failure.isUndecided()).isTrue());
	}

	@Test
	void theHistoryIsBoundedAndReadsAsItWasSent() {
		this.room.join(this.ann.session());
		publish("1", "2", "3", "4", "5", "6");
		List<TopicMessage> history = this.otherRoom.history(100).join();
		assertThat(history).extracting(TopicMessage::frame).isEqualTo(List.copyOf(this.ann.sent).subList(2, 6));
		assertThat(this.otherRoom.history(2).join()).isEqualTo(history.subList(2, 4));
	}

	@Test
	void theHistoryOfATopicIsBoundedByThePatternOfItsName() {
		Topic bounded = this.one.cluster.topic("short-1");
		bounded.publish("1").join();
		bounded.publish("2").join();
		assertThat(bounded.history(100).join()).singleElement()
			.extracting(TopicMessage::frame)
			.asString()
			.contains("\"2\"");
	}

	private void publish(String... texts) {
		for (String text : texts) {
			this.room.publish(text).join();
		}
	}

	private static List<String> texts(TestNode.Client client) {
		return client.sent.stream()
			.map(Object::toString)
			.map((frame) -> frame.contains("\"gap\"") ? "gap" : frame.replaceFirst(".*\"data\":\"(.*?)\".*", "$1"))
			.toList();
	}

	private void write() {
		while (!this.sending.isEmpty()) {
			this.sending.remove().run();
		}
	}

	record Said(String type, String text) {
	}

}
