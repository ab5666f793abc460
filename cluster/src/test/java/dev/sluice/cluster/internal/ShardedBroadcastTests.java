package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.broadcast.BroadcastPlace;
import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A broadcast on two nodes, whose bus loses what a test says. */
class ShardedBroadcastTests {

	private static final Duration RETRY = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final TestNode one = node();

	private final TestNode other = node();

	private final List<String> heard = new ArrayList<>();

	private final List<String> at = new ArrayList<>();

	private final List<String> heardByOther = new ArrayList<>();

	private TestNode node() {
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 4);
	}

	private void listen() {
		assertThat(this.one.cluster.broadcast().listen((entry) -> {
			this.heard.add(entry.payload());
			this.at.add(entry.at().toString());
		})).isTrue();
		assertThat(this.other.cluster.broadcast().listen((entry) -> this.heardByOther.add(entry.payload()))).isTrue();
	}

	@Test
	void allNodesHearWhatIsPublishedOnceAndInOneOrder() {
		listen();
		publish(this.one, "key", "first");
		publish(this.other, "key", "second");
		assertThat(this.heard).containsExactly("first", "second").isEqualTo(this.heardByOther);
	}

	@Test
	void whatDidNotArriveIsReadAnew() {
		listen();
		this.other.bus.deaf = true;
		publish(this.one, "key", "lost");
		this.other.bus.deaf = false;
		publish(this.one, "key", "arrived");
		assertThat(this.heardByOther).containsExactly("lost", "arrived");
		this.other.bus.deaf = true;
		publish(this.one, "another", "lost again");
		this.other.bus.interrupt();
		assertThat(this.heardByOther).endsWith("lost again");
	}

	@Test
	void whatTheHistoryDoesNotHoldIsMissedAndTheRestIsHeard() {
		listen();
		this.other.bus.deaf = true;
		for (int i = 0; i < 10; i++) {
			publish(this.one, "key", "text " + i);
		}
		this.other.bus.interrupt();
		assertThat(this.heardByOther).containsExactly("text 6", "text 7", "text 8", "text 9");
	}

	@Test
	void whatIsLostIsReadOnceTheBusIsAvailable() {
		listen();
		this.other.bus.deaf = true;
		publish(this.one, "key", "lost");
		this.other.bus.unavailable = true;
		this.other.bus.interrupt();
		assertThat(this.heardByOther).isEmpty();
		this.other.bus.unavailable = false;
		this.clock.advance(RETRY);
		assertThat(this.heardByOther).containsExactly("lost");
	}

	@Test
	void whatMayHaveBeenPublishedIsPublishedAgainAndHeardOnce() {
		listen();
		this.one.bus.unansweredOnce = true;
		publish(this.one, "key", "text");
		assertThat(this.heardByOther).containsExactly("text");
	}

	@Test
	void aNodeListensAsSoonAsTheBusIsAvailableAndPublishesNothingBefore() {
		this.one.bus.unavailable = true;
		assertThat(this.one.cluster.broadcast().listen((entry) -> this.heard.add(entry.payload()))).isFalse();
		this.one.bus.unavailable = false;
		assertThat(this.one.cluster.broadcast().publish("key", "early")).isCompletedExceptionally();
		this.clock.advance(RETRY);
		publish(this.one, "key", "text");
		assertThat(this.heard).containsExactly("text");
	}

	@Test
	void aBusThatCannotBeAskedRejects() {
		listen();
		this.one.bus.unavailable = true;
		CompletableFuture<?> rejected = this.one.cluster.broadcast().publish("key", "text");
		assertThatExceptionOfType(Exception.class).isThrownBy(rejected::join)
			.withCauseInstanceOf(BusUnavailableException.class);
		assertThat(this.heard).isEmpty();
	}

	@Test
	void aListenerThatThrowsHearsTheNext() {
		assertThat(this.one.cluster.broadcast().listen((entry) -> {
			this.heard.add(entry.payload());
			throw new IllegalStateException(entry.payload());
		})).isTrue();
		publish(this.one, "key", "first");
		publish(this.one, "key", "second");
		assertThat(this.heard).containsExactly("first", "second");
	}

	@Test
	void whoStopsAtAPlaceHasWhatWasMissedBeforeItAndHearsTheRest() {
		listen();
		publish(this.one, "key", "first");
		String first = this.at.get(0);
		publish(this.one, "key", "second");
		this.one.bus.deaf = true;
		publish(this.other, "key", "third");
		List<BroadcastPlace> places = new ArrayList<>();
		assertThat(stopAt(first, places)).isCompleted();
		this.one.bus.deaf = false;
		assertThat(this.heard).containsExactly("first", "second", "third");
		assertThat(places.get(0).at()).isEqualTo(this.at.get(2));
		assertThat(places.get(0).missed()).extracting(TopicEntry::payload).containsExactly("second", "third");
	}

	@Test
	void whereSomeOfWhatWasMissedIsGoneThePlaceTellsNothing() {
		listen();
		publish(this.one, "key", "first");
		for (int i = 0; i < 5; i++) {
			publish(this.one, "key", "text " + i);
		}
		List<BroadcastPlace> places = new ArrayList<>();
		assertThat(stopAt(this.at.get(0), places)).isCompleted();
		assertThat(stopAt("0", places)).isCompleted();
		assertThat(places).allSatisfy((place) -> {
			assertThat(place.missed()).isNull();
			assertThat(place.at()).isEqualTo(this.at.get(5));
		});
	}

	@Test
	void whoeverStopsAtAPlaceWhereTheBusIsAwayOrThrowsEnds() {
		listen();
		this.one.bus.unavailable = true;
		List<BroadcastPlace> places = new ArrayList<>();
		assertThat(stopAt("1.a", places)).isCompleted();
		assertThat(places).containsExactly(new BroadcastPlace(null, null));
		assertThat(this.one.cluster.broadcast().stopAt("key", null, (place) -> {
			throw new IllegalStateException();
		})).isCompleted();
		this.one.close();
		assertThat(stopAt(null, places)).isCompletedExceptionally();
	}

	@Test
	void manyThatStopAtOnceAreServedByFewReads() {
		List<Runnable> later = new ArrayList<>();
		AtomicBoolean busy = new AtomicBoolean();
		TestNode node = new TestNode(this.bus.connect(), (task) -> {
			if (busy.get()) {
				later.add(task);
			}
			else {
				task.run();
			}
		}, this.clock, Runnable::run, 4);
		node.cluster.broadcast().listen((entry) -> {
		});
		busy.set(true);
		List<BroadcastPlace> places = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			node.cluster.broadcast().stopAt("key", "1.a", (place) -> {
				places.add(place);
				return CompletableFuture.completedFuture(null);
			});
		}
		int reads = node.bus.reads.get();
		run(later);
		assertThat(places).hasSize(200);
		assertThat(node.bus.reads.get() - reads).isEqualTo(4);
	}

	private static void run(List<Runnable> tasks) {
		while (!tasks.isEmpty()) {
			tasks.remove(0).run();
		}
	}

	private CompletableFuture<?> stopAt(String known, List<BroadcastPlace> places) {
		return this.one.cluster.broadcast().stopAt("key", known, (place) -> {
			places.add(place);
			return CompletableFuture.completedFuture(null);
		});
	}

	/** A run of what was published, in its order, wherever it was lost on the way. */
	@Test
	void nothingIsLostDoubledOrOutOfOrderWithinWhatTheHistoryHolds() {
		listen();
		Random random = new Random(42);
		List<String> published = new ArrayList<>();
		int lost = 0;
		for (int i = 0; i < 1000; i++) {
			this.other.bus.deaf = lost < 3 && random.nextInt(3) == 0;
			lost = this.other.bus.deaf ? lost + 1 : 0;
			this.one.bus.unansweredOnce = random.nextInt(10) == 0;
			published.add("text " + i);
			publish(random.nextBoolean() ? this.one : this.other, "key", "text " + i);
			if (random.nextInt(10) == 0) {
				this.other.bus.interrupt();
				lost = 0;
			}
		}
		this.other.bus.interrupt();
		assertThat(this.heard).isEqualTo(published);
		assertThat(this.heardByOther).isEqualTo(published);
	}

	@Test
	void aNodeThatHasLeftTriesNothingMore() {
		this.one.bus.unavailable = true;
		assertThat(this.one.cluster.broadcast().listen((entry) -> this.heard.add(entry.payload()))).isFalse();
		this.one.close();
		this.one.bus.unavailable = false;
		this.clock.advance(RETRY);
		assertThat(this.one.cluster.broadcast().publish("key", "text")).isCompletedExceptionally();
	}

	private static void publish(TestNode node, String key, String text) {
		assertThat(node.cluster.broadcast().publish(key, text)).isCompleted();
	}

}
