package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.TopicMessage;
import dev.sluice.cluster.TopicPresence;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.util.RawValue;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Entries that no node can read, among others, in all that a bus keeps and carries. */
@ExtendWith(OutputCaptureExtension.class)
class UnreadableEntriesTests {

	private static final HistoryLimits LIMITS = new HistoryLimits(100, Duration.ofMinutes(5));

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final TestNode one = node();

	private final TestNode other = node();

	private final ClusterBus planting = this.bus.connect();

	private final TestNode.Client ann = this.one.open("ann", null);

	private final Topic room = this.one.cluster.topic("room");

	private int planted;

	UnreadableEntriesTests() {
		this.planting.start(new BusListener() {

			@Override
			public void received(String frame) {
			}

			@Override
			public void published(String name, TopicEntry entry, @Nullable Position before) {
			}

			@Override
			public void interrupted() {
			}

		});
	}

	private TestNode node() {
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 100,
				new PresenceSettings(List.of("present"), Duration.ofSeconds(1), 10));
	}

	/** As of another version, of a store that was written to by hand, or cut off. */
	static Stream<String> payloads() {
		return Stream.of("", "garbage", "1", "0\"\\ud800\"", "0:8:\"\ud800\"", "1" + "[".repeat(500) + "]".repeat(500),
				"0:9:{\"a\":1", "@1@", "1:4:{\"a");
	}

	private Position plant(String name, String payload) {
		int number = ++this.planted;
		String id = ((number % 2 == 0) ? "planted" : this.planting.node() + ".") + number;
		return this.planting.publish(new Publication(name, id, payload, LIMITS, false)).join().at();
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void whatFollowsIsSentToMembersBehindAGap(String payload, CapturedOutput output) {
		this.room.join(this.ann.session());
		this.room.publish("before");
		Position first = plant("t:room", payload);
		this.room.publish("between");
		Position second = plant("t:room", payload);
		this.room.publish("after");

		assertThat(this.ann.sent).extracting(UnreadableEntriesTests::content)
			.containsExactly("before", "gap " + first, "between", "gap " + second, "after");
		assertThat(this.room.history(10).join()).extracting(TopicMessage::frame)
			.extracting(UnreadableEntriesTests::content)
			.containsExactly("before", "gap " + first, "between", "gap " + second, "after");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(lines(output)).hasSize(2).first().asString().contains("topic 'room'").doesNotContain("ERROR");
		assertThat(lines(output).get(1)).contains("3 more");
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void whatFollowsIsReadFromTheHistory(String payload) {
		this.room.join(this.ann.session());
		this.room.publish("before");
		this.one.bus.deaf = true;
		Position at = plant("t:room", payload);
		this.other.cluster.topic("room").publish("between");
		this.one.bus.deaf = false;
		this.other.cluster.topic("room").publish("after");

		assertThat(this.ann.sent).extracting(UnreadableEntriesTests::content)
			.containsExactly("before", "gap " + at, "between", "after");
	}

	@Test
	void publisherHearsThatMembersGotAGap() {
		this.room.join(this.ann.session());
		this.one.bus.corrupt = true;

		assertThat(this.other.cluster.topic("room").post("hello").join())
			.isEqualTo(new Delivery(0, 1, 0, Set.of(), Map.of(Delivery.LOST, 1)));
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void whatFollowsOfAStreamIsDelivered(String payload, CapturedOutput output) {
		List<String> heard = new CopyOnWriteArrayList<>();
		this.one.cluster.broadcast().listen((entry) -> heard.add(entry.payload()));
		this.one.cluster.broadcast().publish("k", "before");
		IntStream.range(0, 64).forEach((shard) -> plant("b:" + shard, payload));
		this.one.cluster.broadcast().publish("k", "after");
		List<TopicEntry> missed = new CopyOnWriteArrayList<>();
		CompletionStage<?> stopped = this.one.cluster.broadcast().stopAt("k", "1." + "unknown", (place) -> {
			if (place.missed() != null) {
				missed.addAll(place.missed());
			}
			return CompletableFuture.completedFuture(null);
		});

		assertThat(heard).startsWith("before").endsWith("after");
		assertThat(stopped).isCompleted();
		assertThat(output).doesNotContain("ERROR");
	}

	@Test
	void messagesOfNodesThatCannotBeReadAreOneLineAMinute(CapturedOutput output) {
		for (String frame : List.of("", "x", "{", "{\"request\":1}", "{\"evict\":true}", "{\"handed\":",
				"[".repeat(2_000), "{\"answer\":1,\"from\":\"x\"}", "null", "\ud800")) {
			this.planting.send(this.one.bus.node(), frame).join();
		}

		assertThat(lines(output)).hasSize(1).first().asString().doesNotContain("ERROR");
		assertThat(this.other.cluster.find(SessionQuery.ofId(this.ann.clusterId())))
			.isCompletedWithValueMatching((found) -> found.count() == 1);
	}

	/** Of a principal whose name nobody can be sent. */
	@Test
	void memberWhoseNameCannotBeSentDoesNotKeepOthersPresent(CapturedOutput output) {
		Topic present = this.one.cluster.topic("present");
		for (String member : List.of("\ud800", "bob", "\udc00", "carl")) {
			Objects.requireNonNull(this.planting.presence())
				.enter(member, new Publication("t:present", "of" + this.planted++, "0:2:{}", LIMITS, false))
				.join();
		}
		this.planting.close();
		present.join(this.ann.session()).join();
		this.clock.advance(Duration.ofMinutes(5));

		assertThat(this.ann.sent).extracting(UnreadableEntriesTests::content)
			.contains("{\"type\":\"presence\",\"joined\":[],\"left\":[\"bob\"]")
			.contains("{\"type\":\"presence\",\"joined\":[],\"left\":[\"carl\"]");
		assertThat(present.presence().join()).isEqualTo(new TopicPresence(List.of(), 0));
		assertThat(lines(output)).first().asString().doesNotContain("ERROR");
	}

	@Test
	void principalWhoseNameCannotBeSentDoesNotJoin() {
		TestNode.Client half = this.one.open("half", "a\ud800");
		TestNode.Client tooLong = this.one.open("tooLong", "x".repeat(10_001));
		Topic present = this.one.cluster.topic("present");

		for (TestNode.Client client : List.of(half, tooLong)) {
			assertThat(present.join(client.session())).failsWithin(Duration.ZERO)
				.withThrowableThat()
				.withMessageContaining("10000");
			assertThat(this.room.join(client.session())).isCompleted();
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.cluster.topic("\udc00"));
	}

	/**
	 * Texts, names and values with half of a surrogate pair, which no reader can decode.
	 */
	static Stream<Object> halves() {
		return Stream.of("\ud800", "a\udc00b", "\udc00\ud800", Map.of("a", "\ud800"), Map.of("\udc00", 1),
				List.of(List.of("\ud83d")), new RawValue("{\"a\":\"\ud800\"}"), new TextMessage("[\"\ud800\"]"));
	}

	@ParameterizedTest
	@MethodSource("halves")
	void halfOfASurrogatePairIsRejectedAtTheCall(Object message) {
		this.room.join(this.ann.session()).join();
		int before = this.ann.sent.size();
		for (TestNode node : List.of(this.one, this.other)) {
			List<Supplier<CompletableFuture<?>>> calls = List.of(() -> node.cluster.topic("room").publish(message),
					() -> node.cluster.send(SessionQuery.all(), message),
					() -> node.cluster.post(SessionQuery.all(), message));
			assertThat(calls)
				.allSatisfy((call) -> assertThat(failure(call)).isInstanceOf(IllegalArgumentException.class)
					.hasMessageContaining("surrogate"));
		}
		assertThat(this.ann.sent).hasSize(before);
		assertThat(this.planting.read("t:room", null).join().entries()).isEmpty();
		this.room.publish("whole \ud83d\udea6").join();
		assertThat(this.ann.sent).last().asString().contains("whole \ud83d\udea6");
	}

	@Test
	void reasonOfACloseIsRejectedOrSentByAnotherNode() {
		SessionQuery ann = SessionQuery.ofId(this.ann.clusterId());
		for (String half : List.of("\ud800", "a".repeat(200) + "\udc00")) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.other.cluster.close(ann, new CloseStatus(4000, half)))
				.withMessageContaining("surrogate");
		}
		assertThat(this.other.cluster.close(ann, new CloseStatus(4000, "a".repeat(122) + "\ud83d\ude00")))
			.isCompletedWithValueMatching((delivery) -> delivery.sent() == 1);
		assertThat(this.ann.sent).last().isEqualTo(new CloseStatus(4000, "a".repeat(122)));
	}

	private static @Nullable Throwable failure(Supplier<CompletableFuture<?>> call) {
		try {
			CompletableFuture<?> outcome = call.get();
			return outcome.isDone() ? outcome.handle((result, failure) -> failure).join() : null;
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	/** Returns what is said, or where a gap is. */
	private static String content(Object sent) {
		String frame = sent.toString();
		if (frame.startsWith("{\"type\":\"gap\"")) {
			return "gap " + frame.replaceAll(".*\"at\":\"|\"}", "");
		}
		return frame.replaceAll("^\\{\"type\":\"message\",\"data\":\"|\"?,\"topic\".*", "");
	}

	private static List<String> lines(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("cannot be")).toList();
	}

}
