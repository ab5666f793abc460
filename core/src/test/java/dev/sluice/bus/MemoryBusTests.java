package dev.sluice.bus;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.test.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What is particular to memory: time, and room. */
class MemoryBusTests {

	private static final HistoryLimits LIMITS = new HistoryLimits(3, Duration.ofSeconds(10));

	private final SettableClock clock = new SettableClock();

	private final MemoryHub hub = new MemoryHub(Runnable::run, this.clock);

	private final ClusterBus node = new MemoryNode(this.hub);

	@Test
	void messagesExpireEachInItsTime() {
		Position first = publish("a", "1");
		this.clock.advance(Duration.ofSeconds(6));
		Position second = publish("a", "2");
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(read("a", null)).extracting(TopicEntry::at).containsExactly(second);
		assertThat(read("a", first)).as("what is known is an anchor")
			.extracting(TopicEntry::at)
			.containsExactly(first, second);
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(read("a", null)).isEmpty();
		assertThat(publish("a", "3").offset()).isEqualTo(3);
	}

	@Test
	void namesThatNobodyNeedsAreForgotten() {
		for (int index = 0; index < 1000; index++) {
			publish("name " + index, "1");
			this.node.join("asked " + index).join();
			this.node.leave("asked " + index).join();
			this.node.route("routed " + index, "frame").join();
		}
		assertThat(this.hub.topics()).isBetween(2000, 2500);
		this.node.join("name 1").join();
		this.clock.advance(Duration.ofSeconds(100));
		for (int index = 0; index < 2000; index++) {
			this.node.route("name 1", "frame").join();
		}
		assertThat(this.hub.topics()).as("starts").isEqualTo(1001);
		this.clock.advance(Duration.ofHours(1));
		for (int index = 0; index < 1000; index++) {
			this.node.route("name 1", "frame").join();
		}
		assertThat(this.hub.topics()).isEqualTo(1);
		assertThat(publish("name 1", "2").offset()).isEqualTo(2);
		assertThat(publish("name 2", "2").offset()).isOne();
	}

	@Test
	void startsOfVeryManyNamesAreNotKept() {
		for (int index = 0; index < 101_000; index++) {
			this.node.join("made up " + index).join();
			this.node.leave("made up " + index).join();
		}
		assertThat(this.hub.topics()).isBetween(99_000, 100_010);
	}

	@Test
	void aPositionIsKnownForAnHourAfterTheLastNodeHasLeft() {
		this.node.join("a").join();
		Position last = publish("a", "1");
		this.clock.advance(Duration.ofDays(30));
		this.node.leave("a").join();
		this.clock.advance(Duration.ofMinutes(59));
		this.node.route("b", "frame").join();
		assertThat(this.node.join("a").join()).isEqualTo(last);
	}

	@Test
	void whatFindsNoRoomIsToldOf() {
		Queue<Runnable> tasks = new ArrayDeque<>();
		MemoryHub slow = new MemoryHub(tasks::add, this.clock);
		AtomicInteger received = new AtomicInteger();
		AtomicInteger interrupted = new AtomicInteger();
		ClusterBus bus = new MemoryNode(slow);
		bus.start(new BusListener() {

			@Override
			public void received(String frame) {
				received.incrementAndGet();
			}

			@Override
			public void published(String name, TopicEntry entry, @Nullable Position before) {
			}

			@Override
			public void interrupted() {
				interrupted.incrementAndGet();
			}

		});
		for (int index = 0; index < 100_010; index++) {
			bus.send(bus.node(), "frame");
		}
		while (!tasks.isEmpty()) {
			tasks.remove().run();
		}
		assertThat(received).hasValueBetween(100_000, 100_009);
		assertThat(interrupted).hasValue(1);
	}

	@Test
	void aNodeThatHasLeftIsInterestedInNothing() {
		this.node.join("a").join();
		this.node.close();
		ClusterBus other = new MemoryNode(this.hub);
		assertThat(other.route("a", "frame").join()).isEmpty();
		assertThat(this.node.join("a")).isCompletedExceptionally();
	}

	@Test
	void theIdOfAMessageIsAWord() {
		assertThatIllegalArgumentException().isThrownBy(() -> publish("a", ""));
		assertThatIllegalArgumentException().isThrownBy(() -> publish("a", "two words"));
	}

	private Position publish(String name, String id) {
		return this.node.publish(new Publication(name, id, "payload", LIMITS, false)).join().at();
	}

	private List<TopicEntry> read(String name, @Nullable Position known) {
		return this.node.read(name, known).join().entries();
	}

}
