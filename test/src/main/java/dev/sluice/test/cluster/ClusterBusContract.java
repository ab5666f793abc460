package dev.sluice.test.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import dev.sluice.bus.BusState;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of every {@link ClusterBus}, as JUnit tests: messages to nodes and names, one
 * order for all, histories, repeated publications, and nodes that leave. Extend it in the
 * tests of a bus. Each test uses names of its own.
 * <p>
 * Needs JUnit 5 or newer and AssertJ on the class path.
 *
 * @since 0.1.0
 */
public abstract class ClusterBusContract {

	private static final Duration LOOK = Duration.ofMillis(1);

	private static final HistoryLimits LIMITS = new HistoryLimits(5, Duration.ofMinutes(1));

	private final String name = "contract-" + UUID.randomUUID() + "-{é🙂} %";

	private final List<ClusterBus> opened = new ArrayList<>();

	private final RecordedFrames atOne = new RecordedFrames();

	private final RecordedFrames atOther = new RecordedFrames();

	@Nullable private ClusterBus started;

	@Nullable private ClusterBus otherStarted;

	/** Creates the tests. */
	protected ClusterBusContract() {
	}

	/**
	 * Adds a node.
	 * @return a bus that is not started, connected to those returned before
	 */
	protected abstract ClusterBus connect();

	/**
	 * Returns the maximum time, in real time, that a test waits for an expected event.
	 * @return 10 seconds unless overridden
	 */
	protected Duration patience() {
		return Duration.ofSeconds(10);
	}

	@BeforeEach
	void start() {
		this.started = open(this.atOne);
		this.otherStarted = open(this.atOther);
		eventually(() -> one().nodes().containsAll(Set.of(one().node(), other().node()))
				&& other().nodes().contains(one().node()));
	}

	@AfterEach
	void stop() {
		this.opened.forEach(ClusterBus::close);
	}

	private ClusterBus open(RecordedFrames frames) {
		ClusterBus bus = connect();
		this.opened.add(bus);
		bus.start(frames);
		return bus;
	}

	private ClusterBus one() {
		return Objects.requireNonNull(this.started);
	}

	private ClusterBus other() {
		return Objects.requireNonNull(this.otherStarted);
	}

	@Test
	void nodesHaveNamesOfLettersAndDigits() {
		assertThat(one().node()).matches("[a-z0-9]+").isNotEqualTo(other().node());
	}

	@Test
	void aNodeThatHearsTheOthersIsUp() {
		eventually(() -> one().state() == BusState.UP);
		one().send(other().node(), "frame");
		eventually(() -> this.atOther.frames().equals(List.of("frame")) && other().state() == BusState.UP);
	}

	@Test
	void messagesToANodeArriveInOrderAndNowhereElse() {
		List<String> sent = IntStream.range(0, 100).mapToObj((index) -> "frame é🙂\n" + index).toList();
		sent.forEach((frame) -> one().send(other().node(), frame));
		eventually(() -> this.atOther.frames().size() == 100);
		assertThat(this.atOther.frames()).isEqualTo(sent);
		assertThat(this.atOne.frames()).isEmpty();
	}

	@Test
	void aNodeSendsToItself() {
		one().send(one().node(), "own");
		eventually(() -> this.atOne.frames().equals(List.of("own")));
	}

	@Test
	void sendingToANodeThatIsNotThereEnds() {
		assertThat(join(one().send("unknown", "frame"))).isNotNull();
		assertThat(join(one().send(other().node(), "frame"))).isTrue();
	}

	@Test
	void aBroadcastReachesAllNodes() {
		assertThat(join(one().broadcast("all"))).contains(one().node(), other().node());
		eventually(() -> this.atOne.frames().equals(List.of("all")) && this.atOther.frames().equals(List.of("all")));
	}

	@Test
	void onlyNodesThatAreInterestedInANameGetWhatIsRouted() {
		assertThat(join(one().route(this.name, "none"))).isEmpty();
		join(other().join(this.name));
		assertThat(join(one().route(this.name, "other"))).containsExactly(other().node());
		join(one().join(this.name));
		assertThat(join(other().route(this.name, "both"))).containsExactlyInAnyOrder(one().node(), other().node());
		join(other().leave(this.name));
		assertThat(join(other().route(this.name, "one"))).containsExactly(one().node());
		eventually(() -> this.atOne.frames().equals(List.of("both", "one"))
				&& this.atOther.frames().equals(List.of("other", "both")));
	}

	@Test
	void thePlacesOfAllNodesCountTogether() {
		assertThat(join(one().occupy(this.name, 2, 3))).isTrue();
		assertThat(join(other().occupy(this.name, 2, 3))).isFalse();
		assertThat(join(other().route(this.name, "only one"))).containsExactly(one().node());
		assertThat(join(other().occupy(this.name, 1, 3))).isTrue();
		assertThat(join(one().route(this.name, "all"))).containsExactlyInAnyOrder(one().node(), other().node());
		assertThat(join(one().occupy(this.name, 3, 3))).isFalse();
		assertThat(join(one().occupy(this.name, 3, Integer.MAX_VALUE))).as("without a bound").isTrue();
		assertThat(join(one().occupy(this.name, 1, 3))).as("released").isTrue();
		assertThat(join(other().occupy(this.name, 2, 3))).as("the free place").isTrue();
	}

	@Test
	void placesThatAreTakenTwiceCountOnce() {
		assertThat(join(one().occupy(this.name, 1, 2))).isTrue();
		assertThat(join(one().occupy(this.name, 1, 2))).isTrue();
		assertThat(join(other().occupy(this.name, 1, 2))).isTrue();
		assertThat(join(one().occupy(this.name, 2, 2))).isFalse();
	}

	@Test
	void whoJoinsHasAPlaceAndKeepsThoseThatItHas() {
		join(one().join(this.name));
		assertThat(join(other().occupy(this.name, 2, 2))).isFalse();
		assertThat(join(one().occupy(this.name, 2, 2))).isTrue();
		join(one().join(this.name));
		assertThat(join(other().occupy(this.name, 1, 2))).isFalse();
	}

	@Test
	void placesOfWhoLeavesAreFree() {
		join(one().occupy(this.name, 2, 2));
		join(one().leave(this.name));
		assertThat(join(other().occupy(this.name, 2, 2))).isTrue();
		assertThat(join(one().occupy(this.name, 1, 2))).isFalse();
		other().close();
		assertThat(join(one().occupy(this.name, 2, 2))).as("the other node has left").isTrue();
	}

	@Test
	void noMorePlacesAreTakenAtOnceThanThereAre() {
		List<CompletableFuture<Boolean>> taken = new ArrayList<>();
		List<String> names = IntStream.range(0, 50).mapToObj((index) -> this.name + index).toList();
		for (String contested : names) {
			taken.add(one().occupy(contested, 1, 1));
			taken.add(other().occupy(contested, 1, 1));
		}
		assertThat(taken.stream().filter(this::join)).hasSameSizeAs(names);
	}

	@Test
	void allNodesGetWhatIsPublishedInOneOrder() {
		Position start = Objects.requireNonNull(join(one().join(this.name)));
		join(other().join(this.name));
		List<CompletableFuture<Published>> published = new ArrayList<>();
		for (int index = 0; index < 200; index++) {
			ClusterBus by = (index % 2 == 0) ? one() : other();
			published.add(by.publish(publication(by.node() + "." + index, "message " + index)));
		}
		published.forEach(this::join);
		eventually(() -> this.atOne.messages().size() == 200 && this.atOther.messages().size() == 200);
		assertThat(this.atOne.messages()).isEqualTo(this.atOther.messages());
		Position before = start;
		for (RecordedFrames.Message message : this.atOne.messages()) {
			assertThat(message.name()).isEqualTo(this.name);
			assertThat(message.before()).isEqualTo(before);
			assertThat(message.entry().at().offset()).isEqualTo(before.offset() + 1);
			before = message.entry().at();
		}
		assertThat(this.atOne.messages().stream().map((message) -> message.entry().at()))
			.containsExactlyInAnyOrderElementsOf(published.stream().map((one) -> join(one).at()).toList());
	}

	@Test
	void aPublicationTellsItsPositionAndWhoGetsIt() {
		Published unrouted = publish("a");
		assertThat(unrouted.nodes()).isEmpty();
		assertThat(unrouted.at().messageId()).isEqualTo("a");
		assertThat(join(other().join(this.name))).isEqualTo(unrouted.at());
		Published published = publish("b");
		assertThat(published.nodes()).containsExactly(other().node());
		eventually(() -> this.atOther.messages()
			.equals(List.of(new RecordedFrames.Message(this.name, new TopicEntry(published.at(), "payload b"),
					unrouted.at()))));
	}

	@Test
	void whoJoinsANewNameGetsItsStart() {
		assertThat(join(one().read(this.name, null))).isEqualTo(new TopicHistory(null, null, List.of()));
		Position start = Objects.requireNonNull(join(one().join(this.name)));
		assertThat(start.offset()).isZero();
		assertThat(join(other().join(this.name))).isEqualTo(start);
		assertThat(join(one().read(this.name, null))).isEqualTo(new TopicHistory(start, start, List.of()));
		join(one().leave(this.name));
		join(other().leave(this.name));
		assertThat(join(one().join(this.name))).as("all have left").isEqualTo(start);
		Position first = publish("a").at();
		assertThat(first.offset()).isOne();
		TopicHistory history = join(other().read(this.name, null));
		assertThat(history.before()).isEqualTo(start);
		assertThat(history.entries()).extracting(TopicEntry::at).containsExactly(first);
		assertThat(join(other().read(this.name, start)).entries()).extracting(TopicEntry::at)
			.endsWith(first)
			.isSubsetOf(start, first);
	}

	@Test
	void aNameThatIsRoutedToOnlyHasNoPosition() {
		assertThat(join(one().occupy(this.name, 1, 1))).isTrue();
		assertThat(join(one().read(this.name, null)).top()).isNull();
	}

	@Test
	void aHistoryNamesThePositionThatItsFirstMessageFollows() {
		Position start = Objects.requireNonNull(join(one().join(this.name)));
		List<Position> all = IntStream.range(0, 5).mapToObj((index) -> publish("m" + index).at()).toList();
		assertThat(join(other().read(this.name, null)).before()).isEqualTo(start);
		assertThat(join(other().read(this.name, null, 2)).before()).isEqualTo(start);
		Position next = publish("m5").at();
		assertThat(join(other().read(this.name, null)).before()).isEqualTo(all.get(0));
		assertThat(join(other().read(this.name, next))).isIn(new TopicHistory(next, next, List.of()),
				new TopicHistory(next, all.get(4), List.of(new TopicEntry(next, "payload m5"))));
		assertThat(join(other().read(this.name, new Position(1, "lost"))).before()).isEqualTo(all.get(0));
	}

	@Test
	void aPositionIsGoodForAsLongAsNothingNewerIsPublishedHoweverOldTheHistory() {
		HistoryLimits brief = new HistoryLimits(5, Duration.ofMillis(10));
		join(other().join(this.name));
		Position last = join(one().publish(new Publication(this.name, "a", "payload a", brief, false))).at();
		join(other().leave(this.name));
		eventually(() -> join(one().read(this.name, null)).entries().isEmpty());
		eventuallyOlderThan(Duration.ofMillis(250));
		assertThat(join(other().join(this.name))).isEqualTo(last);
		assertThat(join(other().read(this.name, null))).isEqualTo(new TopicHistory(last, last, List.of()));
		Position next = publish("b").at();
		TopicHistory history = join(other().read(this.name, null));
		assertThat(history.before()).isEqualTo(last);
		assertThat(history.entries()).extracting(TopicEntry::at).containsExactly(next);
	}

	/** Ten times the time of a history, when all of it may have been removed. */
	private void eventuallyOlderThan(Duration age) {
		long start = System.nanoTime();
		eventually(() -> System.nanoTime() - start >= age.toNanos());
	}

	@Test
	void theHistoryKeepsTheLatestMessages() {
		List<Position> all = IntStream.range(0, 8).mapToObj((index) -> publish("m" + index).at()).toList();
		TopicHistory history = join(other().read(this.name, null));
		assertThat(history.top()).isEqualTo(all.get(7));
		assertThat(history.entries()).extracting(TopicEntry::at).isEqualTo(all.subList(3, 8));
		assertThat(history.entries().get(0).payload()).isEqualTo("payload m3");
	}

	@Test
	void readingGoesOnFromAKnownPosition() {
		List<Position> all = IntStream.range(0, 8).mapToObj((index) -> publish("m" + index).at()).toList();
		assertThat(join(other().read(this.name, all.get(5))).entries()).extracting(TopicEntry::at)
			.isEqualTo(all.subList(5, 8));
		assertThat(join(other().read(this.name, all.get(7))).entries()).extracting(TopicEntry::at)
			.isSubsetOf(all.get(7));
		assertThat(join(other().read(this.name, all.get(2))).entries()).extracting(TopicEntry::at)
			.as("the one that the first kept follows")
			.isEqualTo(all.subList(2, 8));
		assertThat(join(other().read(this.name, all.get(0))).entries()).extracting(TopicEntry::at)
			.isEqualTo(all.subList(3, 8));
		Position branched = new Position(all.get(5).offset(), "lost");
		assertThat(join(other().read(this.name, branched)).entries()).extracting(TopicEntry::at)
			.isEqualTo(all.subList(3, 8));
	}

	@Test
	void readingInPartsGoesOnFromAKnownPosition() {
		List<Position> all = IntStream.range(0, 8).mapToObj((index) -> publish("m" + index).at()).toList();
		assertThat(join(other().read(this.name, all.get(3), 2)).entries()).extracting(TopicEntry::at)
			.isEqualTo(all.subList(3, 6));
		assertThat(join(other().read(this.name, all.get(3), 2)).top()).isEqualTo(all.get(7));
		assertThat(join(other().read(this.name, all.get(2), 3)).entries()).extracting(TopicEntry::at)
			.as("the one that the first kept follows")
			.isEqualTo(all.subList(2, 6));
		assertThat(join(other().read(this.name, all.get(6), 2)).entries()).extracting(TopicEntry::at)
			.isEqualTo(all.subList(6, 8));
		assertThat(join(other().read(this.name, all.get(7), 2)).entries()).extracting(TopicEntry::at)
			.isSubsetOf(all.get(7));
		for (Position unknown : new Position[] { null, all.get(0), new Position(all.get(5).offset(), "lost") }) {
			assertThat(join(other().read(this.name, unknown, 2)).entries()).extracting(TopicEntry::at)
				.isEqualTo(all.subList(3, 5));
			assertThat(join(other().read(this.name, unknown, 100)).entries()).extracting(TopicEntry::at)
				.isEqualTo(all.subList(3, 8));
		}
	}

	@Test
	void whatIsReadHasNoHoleWhereTheTimeOfAMessageIsOver() {
		Position first = publish("a").at();
		HistoryLimits brief = new HistoryLimits(5, Duration.ofMillis(300));
		join(one().publish(new Publication(this.name, "b", "payload b", brief, false)));
		Position last = publish("c").at();
		eventually(() -> join(other().read(this.name, first)).entries().size() < 3);
		assertThat(join(other().read(this.name, first)).entries()).extracting(TopicEntry::at).containsExactly(last);
		assertThat(join(other().read(this.name, null)).entries()).extracting(TopicEntry::at).containsExactly(last);
	}

	@Test
	void aHistoryThatIsKeptNoMoreIsEmpty() {
		publish("a");
		HistoryLimits none = new HistoryLimits(0, Duration.ofMinutes(1));
		Position last = join(one().publish(new Publication(this.name, "b", "payload b", none, false))).at();
		assertThat(join(other().read(this.name, null))).isEqualTo(new TopicHistory(last, last, List.of()));
		Position next = publish("c").at();
		assertThat(join(other().read(this.name, null)).entries()).extracting(TopicEntry::at).containsExactly(next);
	}

	@Test
	void aRepeatedPublicationIsFoundBehindHundredsOfOthers() {
		HistoryLimits many = new HistoryLimits(2000, Duration.ofMinutes(1));
		Publication publication = new Publication(this.name, "a", "payload a", many, false);
		Position at = join(one().publish(publication)).at();
		IntStream.range(0, 900)
			.mapToObj((index) -> other().publish(new Publication(this.name, "other" + index, "other", many, false)))
			.toList()
			.forEach(this::join);
		assertThat(join(one().publish(publication.again())).at()).isEqualTo(at);
		assertThat(join(one().read(this.name, null)).entries()).hasSize(901);
	}

	@Test
	void aNameMayHaveHalfACharacter() {
		String half = this.name + '\ud83d';
		join(other().join(half));
		join(one().publish(new Publication(half, "a", "payload", LIMITS, false)));
		eventually(() -> this.atOther.messages().size() == 1);
		assertThat(this.atOther.messages().get(0).name()).isEqualTo(half);
	}

	@Test
	void aRepeatedPublicationIsPublishedOnce() {
		join(other().join(this.name));
		Publication publication = publication("a", "payload a");
		Position at = join(one().publish(publication)).at();
		publish("b");
		assertThat(join(one().publish(publication.again())).at()).isEqualTo(at);
		assertThat(join(one().publish(publication("c", "payload c").again())).at().offset()).isEqualTo(3);
		eventually(() -> this.atOther.messages().size() == 3);
		assertThat(join(one().read(this.name, null)).entries()).hasSize(3);
	}

	@Test
	void withoutAHistoryThereIsAnOrderNevertheless() {
		join(other().join(this.name));
		HistoryLimits none = new HistoryLimits(0, Duration.ofMinutes(1));
		for (String id : List.of("a", "b")) {
			join(one().publish(new Publication(this.name, id, "payload", none, false)));
		}
		eventually(() -> this.atOther.messages().size() == 2);
		Position first = this.atOther.messages().get(0).entry().at();
		assertThat(this.atOther.messages().get(1).before()).isEqualTo(first);
		assertThat(join(one().read(this.name, first)))
			.isEqualTo(new TopicHistory(new Position(2, "b"), new Position(2, "b"), List.of()));
	}

	@Test
	void aNodeThatLeavesIsGone() {
		join(other().join(this.name));
		other().close();
		eventually(() -> !one().nodes().contains(other().node()));
		assertThat(join(one().route(this.name, "frame"))).isEmpty();
		assertThat(publish("a").nodes()).isEmpty();
		assertThat(this.atOther.frames()).isEmpty();
		assertThat(other().broadcast("late")).failsWithin(patience());
	}

	@Test
	void aPositionThatHasAnyIdIsReadAsItIsWritten() {
		Position position = publish("id.with.dots").at();
		assertThat(Position.parse(position.toString())).isEqualTo(position);
		assertThat(join(one().read(this.name, null)).top()).isEqualTo(position);
	}

	private Published publish(String id) {
		return join(one().publish(publication(id, "payload " + id)));
	}

	private Publication publication(String id, String payload) {
		return new Publication(this.name, id, payload, LIMITS, false);
	}

	private <T extends @Nullable Object> T join(CompletableFuture<T> future) {
		return future.orTimeout(patience().toMillis(), TimeUnit.MILLISECONDS).join();
	}

	private void eventually(BooleanSupplier condition) {
		long start = System.nanoTime();
		boolean met = condition.getAsBoolean();
		while (!met && System.nanoTime() - start < patience().toNanos()) {
			LockSupport.parkNanos(LOOK.toNanos());
			met = condition.getAsBoolean();
		}
		assertThat(met)
			.as("%s, %s and %s, %s", this.atOne.frames(), this.atOther.frames(), this.atOne.messages(),
					this.atOther.messages())
			.isTrue();
	}

}
