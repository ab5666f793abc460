package dev.sluice.websocket.cluster.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import dev.sluice.cluster.BusUnavailableException;
import dev.sluice.cluster.MemoryBus;
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

	private final List<String> heardByOther = new ArrayList<>();

	private TestNode node() {
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 4);
	}

	private void listen() {
		assertThat(this.one.cluster.broadcast().listen(this.heard::add)).isTrue();
		assertThat(this.other.cluster.broadcast().listen(this.heardByOther::add)).isTrue();
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
		assertThat(this.one.cluster.broadcast().listen(this.heard::add)).isFalse();
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
		assertThat(this.one.cluster.broadcast().listen((text) -> {
			this.heard.add(text);
			throw new IllegalStateException(text);
		})).isTrue();
		publish(this.one, "key", "first");
		publish(this.one, "key", "second");
		assertThat(this.heard).containsExactly("first", "second");
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
		assertThat(this.one.cluster.broadcast().listen(this.heard::add)).isFalse();
		this.one.close();
		this.one.bus.unavailable = false;
		this.clock.advance(RETRY);
		assertThat(this.one.cluster.broadcast().publish("key", "text")).isCompletedExceptionally();
	}

	private static void publish(TestNode node, String key, String text) {
		assertThat(node.cluster.broadcast().publish(key, text)).isCompleted();
	}

}
