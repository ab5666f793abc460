package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;

import dev.sluice.bus.BusState;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Position;
import dev.sluice.cluster.BusTraffic;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.TopicSnapshot;
import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Two nodes, looked at while messages wait, are missed or are lost. */
class ClusterSnapshotTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final Queue<Runnable> deliveries = new ArrayDeque<>();

	private final Queue<Runnable> turns = new ArrayDeque<>();

	private final MemoryBus bus = new MemoryBus(this.deliveries::add, this.clock);

	private final TestNode one = new TestNode(this.bus.connect(), this.turns::add, this.clock, Runnable::run, 4);

	private final TestNode other = new TestNode(this.bus.connect(), this.turns::add, this.clock, Runnable::run, 4);

	private final TestNode.Client ann = this.one.open("ann", null);

	private final TestNode.Client bob = this.one.open("bob", null);

	private final Topic room = this.one.cluster.topic("room");

	@Test
	void tellsTheNodesAndTheTopicsOfThisNode() {
		this.room.join(this.ann.session());
		this.room.join(this.bob.session());
		this.one.cluster.topic("second").join(this.ann.session());
		run();
		ClusterSnapshot snapshot = this.one.cluster.snapshot(1);
		assertThat(snapshot.bus()).isEqualTo(BusState.UP);
		assertThat(snapshot.nodes()).hasSize(2).isEqualTo(this.one.cluster.nodes());
		assertThat(snapshot.topics()).isEqualTo(2);
		assertThat(snapshot.members()).isEqualTo(3);
		assertThat(snapshot.largest()).containsExactly(new TopicSnapshot("room", 2, 0, Duration.ZERO, start()));
		assertThat(this.one.cluster.snapshot(0).largest()).isEmpty();
		assertThat(this.one.cluster.snapshot(10).largest()).hasSize(2);
		assertThat(this.other.cluster.snapshot(10).topics()).isZero();
		assertThat(this.other.cluster.snapshot("room")).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.cluster.snapshot(-1));
	}

	@Test
	void aTopicIsGoneWithItsLastMember() {
		this.room.join(this.ann.session());
		run();
		this.ann.leave();
		run();
		assertThat(this.one.cluster.snapshot("room")).isEmpty();
		assertThat(this.one.cluster.snapshot(10).topics()).isZero();
	}

	@Test
	void tellsWhatWaitsAndHowFarATopicIs() {
		this.room.join(this.ann.session());
		run();
		String start = start();
		String at = this.room.publish("hello").join();
		deliver();
		this.clock.advance(Duration.ofMillis(30));
		assertThat(this.one.cluster.snapshot("room"))
			.contains(new TopicSnapshot("room", 1, 1, Duration.ofMillis(30), start));
		assertThat(this.one.cluster.snapshot(0).waiting()).isOne();
		assertThat(this.one.cluster.snapshot(0).oldestWait()).isEqualTo(Duration.ofMillis(30));
		run();
		assertThat(this.one.cluster.snapshot("room")).contains(new TopicSnapshot("room", 1, 0, Duration.ZERO, at));
	}

	@Test
	void theLagIsTheTimeUntilThisNodeHearsItself() {
		assertThat(this.one.cluster.snapshot(0).traffic().lag()).isNull();
		this.room.publish("nobody").join();
		this.room.join(this.ann.session());
		run();
		this.room.publish("hello").join();
		this.clock.advance(Duration.ofMillis(7));
		run();
		this.room.publish("again").join();
		this.clock.advance(Duration.ofMillis(3));
		run();
		BusTraffic traffic = this.one.cluster.snapshot(0).traffic();
		assertThat(traffic.lag()).isEqualTo(Duration.ofMillis(3));
		assertThat(traffic.timed()).isEqualTo(2);
		assertThat(traffic.timedTotal()).isEqualTo(Duration.ofMillis(10));
	}

	@Test
	void trafficIsCounted() {
		run();
		BusTraffic before = this.one.cluster.snapshot(0).traffic();
		this.room.join(this.ann.session());
		run();
		this.room.publish("hello").join();
		this.other.cluster.find(SessionQuery.all());
		run();
		assertThat(this.one.cluster.snapshot(0).traffic()).returns(before.sent() + 2, BusTraffic::sent)
			.returns(before.received() + 2, BusTraffic::received)
			.returns(0L, BusTraffic::failed);
		this.one.bus.unavailable = true;
		assertThat(this.room.publish("lost")).isCompletedExceptionally();
		assertThat(this.one.cluster.snapshot(0).traffic().failed()).isOne();
	}

	@Test
	void whatWasMissedOrLostIsCounted() {
		this.room.join(this.ann.session());
		run();
		publish("1");
		this.one.bus.deaf = true;
		publish("2");
		this.one.bus.deaf = false;
		publish("3");
		assertThat(this.one.cluster.snapshot(0)).returns(1L, ClusterSnapshot::heals).returns(0L, ClusterSnapshot::gaps);
		this.one.bus.interrupt();
		run();
		assertThat(this.one.cluster.snapshot(0).heals()).as("nothing was missed").isOne();
		this.one.bus.deaf = true;
		publish("4", "5", "6", "7", "8", "9");
		this.one.bus.deaf = false;
		publish("10");
		assertThat(this.one.cluster.snapshot(0)).returns(2L, ClusterSnapshot::heals).returns(1L, ClusterSnapshot::gaps);
	}

	@Test
	void aLostNodeMakesItsSessionsUnknown() {
		this.other.open("carl", "carl");
		run();
		this.other.bus.lost = (frame) -> true;
		this.one.cluster.send(SessionQuery.ofPrincipal("carl"), "hello");
		assertThat(this.one.cluster.snapshot(0).openRequests()).isOne();
		this.clock.advance(TIMEOUT.multipliedBy(2));
		assertThat(this.one.cluster.snapshot(0).openRequests()).isZero();
		assertThat(this.one.cluster.snapshot(0).unknown()).isOne();
	}

	@Test
	void theStateIsThatOfTheBus() {
		for (BusState state : List.of(BusState.SILENT, BusState.UNAVAILABLE, BusState.UP)) {
			this.one.bus.state = state;
			assertThat(this.one.cluster.snapshot(0).bus()).isEqualTo(state);
		}
	}

	/** Returns the start of the topic, as the bus knows it. */
	private String start() {
		Position start = Objects.requireNonNull(this.one.bus.read("t:room", null).join().top());
		assertThat(start.offset()).isZero();
		return start.toString();
	}

	private void publish(String... texts) {
		for (String text : texts) {
			this.room.publish(text).join();
			run();
		}
	}

	private void deliver() {
		while (!this.deliveries.isEmpty()) {
			this.deliveries.remove().run();
		}
	}

	private void run() {
		deliver();
		while (!this.turns.isEmpty()) {
			this.turns.remove().run();
			deliver();
		}
	}

}
