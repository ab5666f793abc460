package dev.sluice.test.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the {@link PresenceRegistry} that a {@link ClusterBus} offers, as JUnit
 * tests: the first arrival and the last departure of a member are published, once each.
 * Extend it in the tests of a bus. Each test uses names of its own.
 * <p>
 * Needs JUnit 5 or newer and AssertJ on the class path.
 *
 * @since 0.1.0
 */
public abstract class ClusterPresenceContract {

	private static final HistoryLimits LIMITS = new HistoryLimits(1000, Duration.ofMinutes(1));

	private final String name = "presence-" + UUID.randomUUID() + "-{é🙂} %";

	private final List<ClusterBus> opened = new ArrayList<>();

	/** Creates the tests. */
	protected ClusterPresenceContract() {
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

	@AfterEach
	void stop() {
		this.opened.forEach(ClusterBus::close);
	}

	private ClusterBus open() {
		ClusterBus bus = connect();
		this.opened.add(bus);
		bus.start(new RecordedFrames());
		return bus;
	}

	@Test
	void theFirstArrivalAndTheLastDepartureArePublished() {
		ClusterBus one = open();
		ClusterBus other = open();
		assertThat(enter(one, "ann")).isNotNull();
		assertThat(enter(one, "ann")).isNull();
		assertThat(enter(other, "ann")).isNull();
		assertThat(present()).isEqualTo(Map.of("ann", Set.of(one.node(), other.node())));
		assertThat(exit(one, one.node(), "ann")).isNull();
		assertThat(exit(one, one.node(), "ann")).isNull();
		assertThat(present()).isEqualTo(Map.of("ann", Set.of(other.node())));
		assertThat(exit(other, other.node(), "ann")).isNotNull();
		assertThat(present()).isEmpty();
		assertThat(payloads()).containsExactly("ann comes", "ann goes");
	}

	@Test
	void whoWasNeverThereDoesNotLeave() {
		ClusterBus one = open();
		assertThat(exit(one, one.node(), "ann")).isNull();
		assertThat(present()).isEmpty();
		assertThat(payloads()).isEmpty();
	}

	@Test
	void membersAreAnyText() {
		ClusterBus one = open();
		for (String member : List.of("é🙂 {a}", "%25:\n", "x".repeat(300))) {
			enter(one, member);
			assertThat(present()).containsOnlyKeys(member);
			exit(one, one.node(), member);
		}
		assertThat(present()).isEmpty();
	}

	@Test
	void theBusTellsThePositionAndWhoGetsIt() {
		ClusterBus one = open();
		assertThat(Objects.requireNonNull(join(one.join(this.name))).offset()).isZero();
		Published arrival = Objects.requireNonNull(enter(one, "ann"));
		assertThat(join(one.read(this.name, null)).top()).isEqualTo(arrival.at());
		assertThat(arrival.nodes()).containsExactly(one.node());
	}

	@Test
	void whatADeadNodeHasLeftIsRemovedOnce() {
		ClusterBus dead = open();
		List<ClusterBus> survivors = Stream.generate(this::open).limit(3).toList();
		enter(dead, "ann");
		enter(dead, "bob");
		enter(survivors.get(0), "bob");
		dead.close();
		assertThat(survivors.stream().filter((survivor) -> exit(survivor, dead.node(), "ann") != null)).hasSize(1);
		assertThat(survivors.stream().filter((survivor) -> exit(survivor, dead.node(), "bob") != null)).isEmpty();
		assertThat(present()).isEqualTo(Map.of("bob", Set.of(survivors.get(0).node())));
		assertThat(payloads()).containsExactly("ann comes", "bob comes", "ann goes");
	}

	@Test
	void manyNodesAtOnceAreToldOnce() {
		List<ClusterBus> nodes = Stream.generate(this::open).limit(4).toList();
		for (int round = 0; round < 25; round++) {
			String member = "member " + round;
			assertThat(
					all(nodes.stream().map((node) -> registry(node).enter(member, message(node, member + " comes")))))
				.as("first")
				.isOne();
			assertThat(all(nodes.stream()
				.map((node) -> registry(node).exit(node.node(), member, message(node, member + " goes"))))).as("last")
				.isOne();
		}
		assertThat(payloads()).isEqualTo(IntStream.range(0, 25)
			.boxed()
			.flatMap((round) -> Stream.of("member " + round + " comes", "member " + round + " goes"))
			.toList());
	}

	/** Returns the number of calls that published a message. */
	private long all(Stream<CompletableFuture<@Nullable Published>> calls) {
		List<CompletableFuture<@Nullable Published>> pending = calls.toList();
		return pending.stream().filter((call) -> join(call) != null).count();
	}

	private @Nullable Published enter(ClusterBus bus, String member) {
		return join(registry(bus).enter(member, message(bus, member + " comes")));
	}

	private @Nullable Published exit(ClusterBus bus, String node, String member) {
		return join(registry(bus).exit(node, member, message(bus, member + " goes")));
	}

	private static PresenceRegistry registry(ClusterBus bus) {
		return Objects.requireNonNull(bus.presence(), "The bus offers no presence");
	}

	private Publication message(ClusterBus bus, String payload) {
		return new Publication(this.name, bus.node() + "." + UUID.randomUUID(), payload, LIMITS, false);
	}

	private Map<String, Set<String>> present() {
		return join(registry(this.opened.get(this.opened.size() - 1)).present(this.name));
	}

	private List<String> payloads() {
		TopicHistory history = join(this.opened.get(this.opened.size() - 1).read(this.name, null));
		return history.entries().stream().map(TopicEntry::payload).toList();
	}

	private <T extends @Nullable Object> T join(CompletableFuture<T> future) {
		return future.orTimeout(patience().toMillis(), TimeUnit.MILLISECONDS).join();
	}

}
