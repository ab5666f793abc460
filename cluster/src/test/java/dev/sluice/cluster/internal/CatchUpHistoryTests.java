package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.Position;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that stall, take a message, join, leave and come at random, while messages are
 * published, missed and sent directly, and pages of the history cannot be read. What each
 * was sent is compared with all that was published.
 */
@Timeout(60)
class CatchUpHistoryTests {

	private static final int STEPS = 10_000;

	/** How many messages are published where threads meet. */
	private static final int MESSAGES = 3_000;

	private static final int ROOM = 8;

	private static final Pattern FRAME = Pattern.compile("\"data\":\"m(\\d+)\",\"topic\":\"room\",\"at\":\"(\\d+)\\.");

	/** The position of a gap is that of the latest missing message. */
	private static final Pattern GAP = Pattern.compile("\"type\":\"gap\",\"topic\":\"room\",\"at\":\"(\\d+)\\.");

	private final SettableClock clock = new SettableClock();

	private final Queue<Runnable> deliveries = new ArrayDeque<>();

	private final Queue<Runnable> turns = new ArrayDeque<>();

	/** Messages that clients have not taken yet. */
	private final List<Runnable> sending = new ArrayList<>();

	private final Set<Runnable> stalled = new HashSet<>();

	private final MemoryBus bus = new MemoryBus(this.deliveries::add, this.clock);

	private final List<Member> members = new CopyOnWriteArrayList<>();

	/** What was published, by its number. */
	private final Map<Long, String> published = new ConcurrentHashMap<>();

	/** Outcomes of messages that were posted. */
	private final Map<String, CompletableFuture<Delivery>> outcomes = new ConcurrentHashMap<>();

	private int count;

	private long top;

	@Tag("full")
	@ParameterizedTest
	@MethodSource
	void soItIsWithOtherSeeds(int seed, int history) {
		whatClientsGetIsARunOfTheOrderOrAGapStandsThere(seed, history, true);
	}

	static Stream<Arguments> soItIsWithOtherSeeds() {
		return IntStream.range(100, 140).mapToObj((seed) -> Arguments.of(seed, 1 << seed % 6));
	}

	@ParameterizedTest
	@CsvSource({ "1, 100000, false", "2, 100000, false", "3, 12, false", "4, 12, false", "5, 0, false", "6, 40, true",
			"7, 3, true", "8, 100000, true" })
	void whatClientsGetIsARunOfTheOrderOrAGapStandsThere(int seed, int history, boolean faults) {
		Random random = new Random(seed);
		SendLimits limits = new SendLimits(Duration.ofSeconds(10), ROOM * 400);
		TestNode node = new TestNode(this.bus.connect(), this.turns::add, this.clock, this.sending::add, history,
				PresenceSettings.OFF, TestSettings.limits(limits, SendOverflow.CATCH_UP));
		Topic room = node.cluster.topic("room");
		for (int step = 0; step < STEPS; step++) {
			step(random, node, room, faults);
		}
		node.bus.deaf = false;
		node.bus.unavailable = false;
		settle();
		publish(room);
		settle();
		List<String> violations = new ArrayList<>();
		this.members.forEach((member) -> member.check(violations, history > STEPS && !faults));
		checkOutcomes(violations);
		assertThat(violations).isEmpty();
		assertThat(node.bus.pages.get()).isPositive();
		assertThat(this.members.stream().mapToInt((member) -> member.received().size()).sum()).isGreaterThan(1_000);
		node.close();
	}

	/**
	 * As each client is sent on a thread of its own, falls behind on that of a direct
	 * message as well as in the topic's turn, and takes its time now and then.
	 */
	@Test
	void soItIsWhereThreadsMeet() throws Exception {
		ExecutorService workers = Executors.newCachedThreadPool();
		SendLimits limits = new SendLimits(Duration.ofSeconds(30), ROOM * 400);
		TestNode node = new TestNode(new MemoryBus(workers, NanoClock.system()).connect(), workers, NanoClock.system(),
				(task) -> workers.execute(() -> {
					if (ThreadLocalRandom.current().nextInt(40) == 0) {
						LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(3_000_000));
					}
					task.run();
				}), 100_000, PresenceSettings.OFF, TestSettings.limits(limits, SendOverflow.CATCH_UP));
		Topic room = node.cluster.topic("room");
		try {
			for (int index = 0; index < 8; index++) {
				open(node, room);
			}
			Awaitility.await().until(() -> this.members.stream().allMatch((member) -> member.joined.size() == 1));
			for (int number = 0; number < MESSAGES; number++) {
				if (number % 10 == 0) {
					post(room);
				}
				else {
					publish(room);
				}
				any(new Random(number)).postAlone();
				if (number % 50 == 0) {
					LockSupport.parkNanos(1_000_000);
				}
			}
			Awaitility.await().atMost(Duration.ofSeconds(45)).untilAsserted(() -> {
				List<String> violations = new ArrayList<>();
				this.members.forEach((member) -> member.check(violations, true));
				checkOutcomes(violations);
				assertThat(violations).isEmpty();
			});
			assertThat(node.bus.pages.get()).isPositive();
			assertThat(this.members).allMatch((member) -> member.client.isOpen());
		}
		finally {
			node.close();
			workers.shutdown();
		}
	}

	private void step(Random random, TestNode node, Topic room, boolean faults) {
		switch (random.nextInt(faults ? 24 : 20)) {
			case 0 -> post(room);
			case 1, 2, 3, 4, 5 -> publish(room);
			case 6, 7 -> run(this.deliveries);
			case 8, 9 -> run(this.turns);
			case 10, 11, 12, 13 -> take(random);
			case 14 -> stall(random);
			case 15 -> this.stalled.clear();
			case 16 -> open(node, room);
			case 17 -> {
				if (random.nextInt(20) == 0 && !this.members.isEmpty()) {
					any(random).leave(room);
				}
			}
			case 18 -> {
				if (random.nextInt(4) == 0 && !this.members.isEmpty()) {
					any(random).client.session().post(new TextMessage("x".repeat(random.nextInt(2_000))));
				}
			}
			case 19 -> {
				run(this.deliveries);
				run(this.turns);
				take(random);
			}
			case 20 -> node.bus.deaf = random.nextInt(4) == 0;
			case 21 -> node.bus.unavailable = random.nextInt(3) == 0;
			case 22 -> node.bus.interrupt();
			default -> this.clock.advance(Duration.ofSeconds(3));
		}
	}

	private void publish(Topic room) {
		String text = "m" + ++this.count;
		CompletableFuture<String> at = room.publish(new TextMessage(text));
		if (!at.isCompletedExceptionally()) {
			this.top = Position.parse(at.join()).offset();
			this.published.put(this.top, text);
		}
	}

	private void post(Topic room) {
		String text = "m" + ++this.count;
		this.outcomes.put(text, room.post(new TextMessage(text)));
	}

	/** Adds outcomes that what clients got does not confirm. */
	private void checkOutcomes(List<String> violations) {
		Map<String, Integer> got = new HashMap<>();
		for (Member member : this.members) {
			for (String frame : member.received()) {
				Matcher message = FRAME.matcher(frame);
				if (message.find()) {
					got.merge("m" + message.group(1), 1, Integer::sum);
				}
			}
		}
		this.outcomes.forEach((text, future) -> {
			int receivers = got.getOrDefault(text, 0);
			if (!future.isDone()) {
				violations.add(text + " has no outcome");
			}
			else if (future.isCompletedExceptionally()) {
				if (receivers > 0) {
					violations.add(text + " was received by " + receivers + ", and has failed");
				}
			}
			else {
				Delivery outcome = future.join();
				int perhaps = outcome.unknown() + outcome.failures().getOrDefault("TaskDroppedException", 0);
				boolean counted = outcome.silentNodes().isEmpty();
				if (receivers < outcome.sent() || counted && receivers > outcome.sent() + perhaps) {
					violations.add(text + " was received by " + receivers + ", and its outcome is " + outcome);
				}
			}
		});
	}

	private void open(TestNode node, Topic room) {
		if (this.members.size() < 8) {
			Member member = new Member(node.open("client-" + this.members.size(), null));
			this.members.add(member);
			member.join(room);
		}
	}

	private Member any(Random random) {
		return this.members.get(random.nextInt(this.members.size()));
	}

	private void take(Random random) {
		List<Runnable> ready = this.sending.stream().filter((one) -> !this.stalled.contains(one)).toList();
		if (!ready.isEmpty()) {
			Runnable one = ready.get(random.nextInt(ready.size()));
			this.sending.remove(one);
			one.run();
		}
	}

	private void stall(Random random) {
		if (!this.sending.isEmpty()) {
			this.stalled.add(this.sending.get(random.nextInt(this.sending.size())));
		}
	}

	private void settle() {
		for (int round = 0; round < 3; round++) {
			this.clock.advance(Duration.ofSeconds(3));
			while (!this.deliveries.isEmpty() || !this.turns.isEmpty() || !this.sending.isEmpty()) {
				run(this.deliveries);
				run(this.turns);
				if (!this.sending.isEmpty()) {
					this.sending.remove(0).run();
				}
			}
		}
	}

	private static void run(Queue<Runnable> tasks) {
		Runnable task = tasks.poll();
		if (task != null) {
			task.run();
		}
	}

	/** A client, and the positions at which it has joined. */
	private final class Member {

		private final TestNode.Client client;

		private final Set<Long> joined = ConcurrentHashMap.newKeySet();

		private volatile boolean present;

		private CompletableFuture<?> direct = CompletableFuture.completedFuture(null);

		Member(TestNode.Client client) {
			this.client = client;
		}

		void join(Topic room) {
			if (this.client.isOpen()) {
				room.join(this.client.session()).whenComplete((at, failure) -> {
					this.present = failure == null;
					this.joined.add((at != null) ? Position.parse(at).offset() : 0);
				});
			}
		}

		void leave(Topic room) {
			if (this.client.isOpen()) {
				this.present = false;
				room.leave(this.client.session());
				join(room);
			}
		}

		/** Posts a message that needs most of the buffer, unless one is on its way. */
		void postAlone() {
			if (this.direct.isDone()) {
				this.direct = this.client.session().post(new TextMessage("x".repeat(ROOM * 300)));
			}
		}

		List<String> received() {
			return this.client.sent.stream().filter(String.class::isInstance).map(String.class::cast).toList();
		}

		void check(List<String> violations, boolean complete) {
			long last = -1;
			boolean gap = false;
			for (String frame : received()) {
				Matcher message = FRAME.matcher(frame);
				Matcher missing = GAP.matcher(frame);
				if (missing.find()) {
					long end = Long.parseLong(missing.group(1));
					if (end <= last) {
						violations.add(this.client.getId() + " got a gap at " + end + " behind " + last);
					}
					last = end;
					gap = true;
					if (complete) {
						violations.add(this.client.getId() + " was told of a gap behind " + last);
					}
				}
				else if (message.find()) {
					long number = Long.parseLong(message.group(2));
					boolean follows = number == last + 1 && last >= 0 || this.joined.contains(number - 1);
					if (!follows) {
						violations.add(this.client.getId() + " got " + number + " behind " + last);
					}
					String text = "m" + message.group(1);
					if (!text.equals(CatchUpHistoryTests.this.published.getOrDefault(number, text))
							|| !CatchUpHistoryTests.this.published.containsKey(number)
									&& !CatchUpHistoryTests.this.outcomes.containsKey(text)) {
						violations.add(this.client.getId() + " got " + frame);
					}
					last = number;
					gap = false;
				}
			}
			if (this.client.isOpen() && this.present && last != CatchUpHistoryTests.this.top && !gap) {
				violations.add(this.client.getId() + " ends with " + last + " of " + CatchUpHistoryTests.this.top);
			}
		}

	}

}
