package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clients of several topics with full send buffers that drop the oldest messages, while
 * messages are published, posted and sent directly. What each client received is compared
 * with all that was published: a run of the topic's order, with one gap in the place of
 * each hole, and with the outcomes of the posted messages.
 */
@Timeout(60)
class DroppedHistoryTests {

	private static final int STEPS = 3_000;

	private static final int ROOM = 6 * 400;

	private static final List<String> TOPICS = List.of("room", "hall", "yard");

	private static final Pattern MESSAGE = Pattern
		.compile("\"data\":\"[a-z]*(\\d+)x*\",\"topic\":\"(\\w+)\",\"at\":\"(\\d+)\\.");

	private static final Pattern GAP = Pattern.compile("\"type\":\"gap\",\"topic\":\"(\\w+)\"(?:,\"at\":\"(\\d+)\\.)?");

	private final SettableClock clock = new SettableClock();

	private final Queue<Runnable> turns = new ArrayDeque<>();

	/** Messages that clients have not received yet. */
	private final List<Runnable> sending = new ArrayList<>();

	private final Set<Runnable> stalled = new HashSet<>();

	private final List<Member> members = new CopyOnWriteArrayList<>();

	/** Number of messages of each topic. */
	private final Map<String, Long> tops = new ConcurrentHashMap<>();

	private final Map<String, CompletableFuture<Delivery>> posts = new TreeMap<>();

	private int count;

	@ParameterizedTest
	@CsvSource({ "1, 1, false", "2, 1, false", "3, 3, false", "4, 3, false", "5, 3, true", "6, 1, true" })
	void aGapStandsInThePlaceOfEachHole(int seed, int topics, boolean losses) {
		Random random = new Random(seed);
		TestNode node = new TestNode(new MemoryBus(Runnable::run, this.clock).connect(), this.turns::add, this.clock,
				this.sending::add, losses ? 3 : 100_000, PresenceSettings.OFF,
				TestSettings.limits(new SendLimits(Duration.ofSeconds(10), ROOM), SendOverflow.DROP_OLDEST));
		for (int step = 0; step < STEPS; step++) {
			step(random, node, topics, losses);
		}
		node.bus.deaf = false;
		node.bus.interrupt();
		settle();
		List<String> violations = new ArrayList<>();
		this.members.forEach((member) -> member.check(violations, losses));
		if (!losses) {
			checkPosts(violations);
		}
		assertThat(violations).isEmpty();
		assertThat(this.members.stream().mapToLong(Member::gaps).sum()).isGreaterThan(100);
		assertThat(this.members).allMatch((member) -> member.client.isOpen());
		node.close();
	}

	@Test
	void soItIsWhereThreadsMeet() throws Exception {
		ExecutorService workers = Executors.newCachedThreadPool();
		TestNode node = new TestNode(new MemoryBus(workers, NanoClock.system()).connect(), workers, NanoClock.system(),
				(task) -> workers.execute(() -> {
					if (ThreadLocalRandom.current().nextInt(30) == 0) {
						LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(2_000_000));
					}
					task.run();
				}), 100_000, PresenceSettings.OFF,
				TestSettings.limits(new SendLimits(Duration.ofSeconds(30), ROOM), SendOverflow.DROP_OLDEST));
		try {
			for (int index = 0; index < 8; index++) {
				open(node, 3);
			}
			await().until(() -> this.members.stream().allMatch((member) -> member.joined.size() == 3));
			List<CompletableFuture<?>> publishers = new ArrayList<>();
			for (String name : TOPICS) {
				publishers.add(CompletableFuture.runAsync(() -> {
					for (int number = 1; number <= STEPS / 3; number++) {
						this.tops.merge(name, 1L, Long::sum);
						node.cluster.topic(name).publish(text("m", number, ThreadLocalRandom.current())).join();
						any(ThreadLocalRandom.current()).sendDirectly(ThreadLocalRandom.current());
					}
				}, workers));
			}
			CompletableFuture.allOf(publishers.toArray(CompletableFuture[]::new)).get(50, TimeUnit.SECONDS);
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				List<String> violations = new ArrayList<>();
				this.members.forEach((member) -> member.check(violations, false));
				assertThat(violations).isEmpty();
			});
			assertThat(this.members.stream().mapToLong(Member::gaps).sum()).isGreaterThan(100);
		}
		finally {
			node.close();
			workers.shutdown();
		}
	}

	private void step(Random random, TestNode node, int topics, boolean losses) {
		switch (random.nextInt(losses ? 18 : 16)) {
			case 0, 1, 2, 3, 4, 5 -> publish(random, node.cluster.topic(TOPICS.get(random.nextInt(topics))));
			case 6, 7, 8 -> run(this.turns);
			case 9, 10, 11 -> take(random);
			case 12 -> {
				if (!this.sending.isEmpty()) {
					this.stalled.add(this.sending.get(random.nextInt(this.sending.size())));
				}
			}
			case 13 -> {
				if (random.nextInt(4) == 0) {
					this.stalled.clear();
				}
			}
			case 14 -> open(node, topics);
			case 15 -> {
				if (!this.members.isEmpty()) {
					any(random).sendDirectly(random);
				}
			}
			case 16 -> node.bus.deaf = random.nextInt(8) == 0;
			default -> node.bus.interrupt();
		}
	}

	private void publish(Random random, Topic topic) {
		String text = text("m", ++this.count, random);
		this.tops.merge(topic.name(), 1L, Long::sum);
		if (random.nextInt(5) == 0) {
			this.posts.put(topic.name() + this.tops.get(topic.name()), topic.post(text));
		}
		else {
			topic.publish(text).join();
		}
	}

	/** Some messages are smaller than a gap, and some exceed the whole buffer. */
	private static String text(String prefix, int number, Random random) {
		int length = (random.nextInt(40) == 0) ? ROOM : random.nextInt(300);
		return prefix + number + "x".repeat(length);
	}

	private void open(TestNode node, int topics) {
		if (this.members.size() < 8) {
			Member member = new Member(node.open("client-" + this.members.size(), null));
			this.members.add(member);
			TOPICS.stream().limit(topics).forEach((name) -> member.join(node.cluster.topic(name)));
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

	private void settle() {
		for (int round = 0; round < 3; round++) {
			while (!this.turns.isEmpty() || !this.sending.isEmpty()) {
				run(this.turns);
				if (!this.sending.isEmpty()) {
					this.sending.remove(0).run();
				}
			}
			this.clock.advance(Duration.ofSeconds(3));
		}
	}

	private static void run(Queue<Runnable> tasks) {
		Runnable task = tasks.poll();
		if (task != null) {
			task.run();
		}
	}

	private void checkPosts(List<String> violations) {
		this.posts.forEach((place, posted) -> {
			Delivery delivery = posted.join();
			long received = this.members.stream().filter((member) -> member.places.contains(place)).count();
			if (delivery.sent() != received) {
				violations.add(place + " was received by " + received + ", and " + delivery);
			}
		});
	}

	/** A client, and the positions at which it has joined. */
	private final class Member {

		private final TestNode.Client client;

		private final Map<String, Long> joined = new ConcurrentHashMap<>();

		private final Set<String> places = new HashSet<>();

		Member(TestNode.Client client) {
			this.client = client;
		}

		void join(Topic topic) {
			topic.join(this.client.session())
				.thenAccept((at) -> this.joined.put(topic.name(),
						(at != null) ? Long.parseLong(at.substring(0, at.indexOf('.'))) : 0));
		}

		void sendDirectly(Random random) {
			TextMessage message = new TextMessage("d".repeat(random.nextInt(ROOM)));
			if (random.nextBoolean()) {
				this.client.session().send(message);
			}
			else {
				this.client.session().post(message);
			}
		}

		private List<String> received() {
			return this.client.sent.stream().map(Object::toString).toList();
		}

		long gaps() {
			return received().stream().filter((frame) -> GAP.matcher(frame).find()).count();
		}

		void check(List<String> violations, boolean losses) {
			this.places.clear();
			this.joined.forEach((topic, at) -> check(topic, at, violations, losses));
		}

		/**
		 * The position of a gap is the position of the latest message that it replaces.
		 */
		private void check(String topic, long from, List<String> violations, boolean losses) {
			long last = from;
			for (String frame : received()) {
				Matcher message = MESSAGE.matcher(frame);
				Matcher missed = GAP.matcher(frame);
				if (missed.find() && missed.group(1).equals(topic)) {
					long at = Long.parseLong(missed.group(2));
					if (at <= last && !losses) {
						violations.add(this.client.getId() + " got a gap at " + at + " of " + topic + " after " + last);
					}
					last = at;
				}
				else if (message.find() && message.group(2).equals(topic)) {
					long at = Long.parseLong(message.group(3));
					this.places.add(topic + at);
					if (at != last + 1) {
						violations.add(this.client.getId() + " got " + at + " of " + topic + " after " + last);
					}
					last = at;
				}
			}
			long top = DroppedHistoryTests.this.tops.getOrDefault(topic, 0L);
			if (last != top) {
				violations.add(this.client.getId() + " ends with " + last + " of " + top + " of " + topic);
			}
		}

	}

}
