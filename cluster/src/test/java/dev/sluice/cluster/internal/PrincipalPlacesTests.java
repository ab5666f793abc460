package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.bus.BusState;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.settings.QuotaLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** At most three sessions of a principal on two nodes. */
class PrincipalPlacesTests {

	private static final int MOST = 3;

	private static final String NAME = PrincipalNames.PREFIX + "ann";

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final TestNode one = node(Runnable::run);

	private final TestNode other = node(Runnable::run);

	private TestNode node(Executor workers) {
		return new TestNode(this.bus.connect(), workers, this.clock, Runnable::run, 10, PresenceSettings.OFF,
				new QuotaLimits(Integer.MAX_VALUE, MOST, Integer.MAX_VALUE));
	}

	@Test
	void sessionsOfAllNodesCount() {
		TestNode.Client first = this.one.open("1", "ann");
		this.one.open("2", "ann");
		this.other.open("1", "ann");
		TestNode.Client refused = this.other.open("2", "ann");
		assertThat(refused.sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
		assertThat(this.other.open("3", "bob").sent).isEmpty();
		assertThat(this.other.open("4", null).sent).isEmpty();
		first.leave();
		assertThat(this.other.open("5", "ann").sent).isEmpty();
		assertThat(this.one.open("6", "ann").sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
	}

	@Test
	void eachPlaceIsGivenBackOnce() {
		TestNode.Client stays = this.other.open("stays", "ann");
		for (int round = 0; round < 20; round++) {
			List<TestNode.Client> clients = IntStream.range(0, MOST)
				.mapToObj((id) -> this.one.open("" + id, "ann"))
				.toList();
			assertThat(clients).filteredOn((client) -> client.sent.isEmpty()).hasSize(MOST - 1);
			clients.stream().filter((client) -> client.sent.isEmpty()).forEach(TestNode.Client::leave);
		}
		stays.leave();
		assertThat(this.one.bus.route(NAME, "frame").join()).isEmpty();
	}

	@Test
	void placesOfANodeThatLeavesAreFree() {
		IntStream.range(0, MOST).forEach((id) -> this.one.open("" + id, "ann"));
		this.one.close();
		assertThat(this.other.open("1", "ann").sent).isEmpty();
	}

	@Test
	void withoutTheBusTheLimitIsThatOfTheNodeUntilItIsBack() {
		this.one.bus.unavailable = true;
		IntStream.range(0, MOST).forEach((id) -> assertThat(this.one.open("" + id, "ann").sent).isEmpty());
		assertThat(this.one.open("more", "ann").sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
		this.one.bus.unavailable = false;
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.other.open("1", "ann").sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
	}

	@Test
	void anAnswerThatIsLostTakesOnePlace() {
		this.one.bus.unansweredOnce = true;
		assertThat(this.one.open("1", "ann").sent).isEmpty();
		this.clock.advance(Duration.ofSeconds(2));
		this.other.open("1", "ann");
		assertThat(this.other.open("2", "ann").sent).isEmpty();
		assertThat(this.other.open("3", "ann").sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
	}

	@Test
	void whatTheBusHasForgottenIsToldAgain() {
		IntStream.range(0, MOST).forEach((id) -> this.one.open("" + id, "ann"));
		this.one.bus.leave(NAME).join();
		this.one.bus.interrupt();
		assertThat(this.other.open("1", "ann").sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
	}

	@Test
	void nobodyWaitsForABusThatDoesNotHearOthersAndEachPlaceCountsOnce() {
		Queue<Runnable> turns = new ArrayDeque<>();
		TestNode late = node(turns::add);
		late.bus.state = BusState.UNAVAILABLE;
		TestNode.Client gone = late.open("1", "ann");
		late.open("2", "ann");
		gone.leave();
		while (!turns.isEmpty()) {
			turns.remove().run();
		}
		this.one.open("1", "ann");
		assertThat(this.one.open("2", "ann").sent).isEmpty();
		assertThat(this.one.open("3", "ann").sent).containsExactly(CloseStatuses.TOO_MANY_SESSIONS);
	}

	@Test
	void threadsOfBothNodesNeverExceedTheLimitAndGiveEverythingBack() throws Exception {
		ExecutorService workers = Executors.newFixedThreadPool(2);
		ExecutorService containers = Executors.newFixedThreadPool(6);
		MemoryBus shared = new MemoryBus(workers, NanoClock.system());
		QuotaLimits quota = new QuotaLimits(Integer.MAX_VALUE, MOST, Integer.MAX_VALUE);
		AtomicInteger open = new AtomicInteger();
		AtomicInteger taken = new AtomicInteger();
		AtomicInteger exceeded = new AtomicInteger();
		List<TestNode> nodes = IntStream.range(0, 2)
			.mapToObj((index) -> new TestNode(shared.connect(), workers, NanoClock.system(), Runnable::run, 10,
					PresenceSettings.OFF, quota))
			.toList();
		List<Future<?>> running = new ArrayList<>();
		for (int thread = 0; thread < 6; thread++) {
			TestNode node = nodes.get(thread % 2);
			String id = "thread" + thread;
			running.add(containers.submit(() -> {
				for (int round = 0; round < 300; round++) {
					TestNode.Client client = node.open(id, "ann");
					if (client.sent.isEmpty()) {
						taken.incrementAndGet();
						exceeded.accumulateAndGet(open.incrementAndGet() - MOST, Math::max);
						open.decrementAndGet();
						client.leave();
					}
				}
			}));
		}
		for (Future<?> one : running) {
			one.get(60, TimeUnit.SECONDS);
		}
		assertThat(exceeded).hasValue(0);
		assertThat(taken).hasPositiveValue();
		await().until(() -> nodes.get(0).bus.route(NAME, "frame").join().isEmpty());
		nodes.forEach(TestNode::close);
		containers.shutdown();
		workers.shutdown();
	}

}
