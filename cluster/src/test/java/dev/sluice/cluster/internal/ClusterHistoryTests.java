package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.Topic;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes, publishers on all, sessions that join, leave and end at random, and nodes
 * that miss messages and are told so, or not. What each session was sent is compared with
 * all that was published, and each future with what was sent.
 */
@Timeout(60)
class ClusterHistoryTests {

	private static final Pattern MESSAGE = Pattern
		.compile(".*\"data\":\"(\\w+)\",\"topic\":\"room\",\"at\":\"(\\d+)\\..*");

	/**
	 * The position of a gap is that of the latest missing message.
	 */
	private static final Pattern GAP = Pattern.compile("\\{\"type\":\"gap\",\"topic\":\"room\",\"at\":\"(\\d+)\\..*");

	private static final int BURST = 10_000;

	private final MemoryBus bus = new MemoryBus(ForkJoinPool.commonPool(), NanoClock.system());

	private final List<TestNode> nodes = new ArrayList<>();

	private final List<TestNode.Client> clients = new ArrayList<>();

	/** What was published, by its number. */
	private final ConcurrentMap<Long, String> published = new ConcurrentHashMap<>();

	/** Outcomes of messages that were posted. */
	private final ConcurrentMap<String, CompletableFuture<Delivery>> outcomes = new ConcurrentHashMap<>();

	private final Random random = new Random(42);

	private void start(int history) {
		for (int index = 0; index < 3; index++) {
			this.nodes.add(new TestNode(this.bus.connect(), ForkJoinPool.commonPool(), NanoClock.system(),
					Runnable::run, history));
		}
		for (int index = 0; index < 30; index++) {
			TestNode node = this.nodes.get(index % 3);
			this.clients.add(node.open("client-" + index, null));
			topic(node).join(this.clients.get(index).session()).join();
		}
	}

	@AfterEach
	void stop() {
		this.nodes.forEach(TestNode::close);
	}

	private static Topic topic(TestNode node) {
		return node.cluster.topic("room");
	}

	@Test
	void membersGetOneOrderWithoutHolesWhereMessagesAreMissedAndHealed() throws Exception {
		start(10_000);
		run(true);
		assertThat(violations(false)).isEmpty();
	}

	@Test
	void whereMoreIsMissedThanTheHistoryHoldsAGapStandsInItsPlace() throws Exception {
		start(5);
		run(true);
		assertThat(violations(true)).isEmpty();

		TestNode deaf = this.nodes.get(0);
		TestNode.Client member = deaf.open("member", null);
		topic(deaf).join(member.session()).join();
		this.clients.add(member);
		miss(deaf, 10);
		topic(this.nodes.get(1)).publish("heard").join();
		await().untilAsserted(() -> assertThat(member.sent).map(Object::toString)
			.anyMatch((frame) -> frame.contains("\"gap\""))
			.anyMatch((frame) -> frame.contains("heard")));
		assertThat(violations(true)).isEmpty();
	}

	/** One node delivers nothing meanwhile; the history is much shorter. */
	@Test
	void aBurstReachesAllMembersOfAllNodesInOrder() throws Exception {
		CompletableFuture<Void> begins = new CompletableFuture<>();
		AtomicBoolean waits = new AtomicBoolean();
		Executor late = (task) -> (waits.get() ? begins : CompletableFuture.<Void>completedFuture(null))
			.thenRunAsync(task);
		for (int index = 0; index < 3; index++) {
			this.nodes.add(new TestNode(this.bus.connect(), (index == 2) ? late : ForkJoinPool.commonPool(),
					NanoClock.system(), Runnable::run, 100));
			this.clients.add(this.nodes.get(index).open("client-" + index, null));
			topic(this.nodes.get(index)).join(this.clients.get(index).session()).join();
		}
		waits.set(true);
		List<CompletableFuture<@Nullable String>> answers = new ArrayList<>();
		for (int index = 0; index < BURST; index++) {
			answers.add(topic(this.nodes.get(0)).publish("m" + index));
		}
		for (int index = 0; index < BURST; index++) {
			String at = answers.get(index).get(30, TimeUnit.SECONDS);
			this.published.put(Long.parseLong(at.substring(0, at.indexOf('.'))), "m" + index);
		}
		begins.complete(null);
		await().until(() -> this.clients.stream().allMatch((client) -> client.sent.size() >= BURST || hasGap(client)));
		assertThat(violations(false)).isEmpty();
		assertThat(this.clients).allMatch((client) -> client.sent.size() == BURST);
	}

	private static boolean hasGap(TestNode.Client client) {
		return client.sent.stream().anyMatch((frame) -> frame.toString().contains("\"gap\""));
	}

	private void miss(TestNode deaf, int messages) {
		int before = deaf.bus.missed.get();
		deaf.bus.deaf = true;
		for (int index = 0; index < messages; index++) {
			topic(this.nodes.get(1)).publish("missed" + index).join();
		}
		await().until(() -> deaf.bus.missed.get() == before + messages);
		deaf.bus.deaf = false;
	}

	/** The checker itself: one message less, or one twice, at one session. */
	@Test
	void aMessageThatIsLostOrDoubledIsFound() throws Exception {
		start(10_000);
		run(false);
		assertThat(violations(false)).isEmpty();
		TestNode.Client victim = this.clients.stream()
			.filter((client) -> client.sent.size() > 20)
			.findFirst()
			.orElseThrow();
		List<Object> sent = new ArrayList<>(victim.sent);
		int index = twoWithoutOutcome(sent);
		this.outcomes.put("m", CompletableFuture.completedFuture(new Delivery(1, 0, 0, Set.of(), Map.of())));
		assertThat(violations(false)).as("sent without receipt").hasSize(1);
		this.outcomes.remove("m");
		String any = MESSAGE.matcher(sent.get(index).toString()).replaceAll("$1");
		this.outcomes.put(any, CompletableFuture.completedFuture(new Delivery(0, 1, 0, Set.of(), Map.of())));
		assertThat(violations(false)).as("failed with receipt").hasSize(1);
		this.outcomes.remove(any);
		List<Object> changed = new ArrayList<>(sent);
		changed.set(index, MESSAGE.matcher(sent.get(index).toString())
			.replaceAll("{\"type\":\"gap\",\"topic\":\"room\",\"at\":\"$2.x\"}"));
		victim.sent.clear();
		victim.sent.addAll(changed);
		assertThat(violations(true)).as("a gap in its place").isEmpty();
		victim.sent.remove(changed.get(index + 1));
		assertThat(violations(true)).as("a hole behind a gap").hasSize(1);
		victim.sent.clear();
		victim.sent.addAll(sent);
		victim.sent.remove(sent.get(index));
		assertThat(violations(false)).isNotEmpty();
		victim.sent.clear();
		victim.sent.addAll(sent);
		victim.sent.add(sent.get(index));
		assertThat(violations(false)).isNotEmpty();
	}

	/**
	 * Returns the index of a message that was published, as was the message behind it.
	 */
	private int twoWithoutOutcome(List<Object> sent) {
		return IntStream.range(10, sent.size() - 1)
			.filter((index) -> isPublished(sent.get(index)) && isPublished(sent.get(index + 1)))
			.findFirst()
			.orElseThrow();
	}

	private boolean isPublished(Object sent) {
		return this.published.containsValue(MESSAGE.matcher(sent.toString()).replaceAll("$1"));
	}

	private void run(boolean faults) throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		List<CompletableFuture<Void>> publishers = new ArrayList<>();
		for (TestNode node : this.nodes) {
			publishers.add(CompletableFuture.runAsync(() -> {
				for (int index = 0; index < 400; index++) {
					String text = node.bus.node() + index;
					if (index % 10 == 0) {
						this.outcomes.put(text, topic(node).post(text));
						continue;
					}
					String at = topic(node).publish(text).join();
					String other = this.published.put(Long.parseLong(at.substring(0, at.indexOf('.'))), text);
					assertThat(other).isNull();
				}
			}));
		}
		CompletableFuture<Void> all = CompletableFuture.allOf(publishers.toArray(CompletableFuture[]::new));
		all.whenComplete((nothing, failure) -> over.set(true));
		while (!over.get()) {
			disturb(faults);
		}
		all.get(30, TimeUnit.SECONDS);
		this.nodes.forEach((node) -> {
			node.bus.deaf = false;
			node.bus.interrupt();
		});
		for (TestNode node : this.nodes) {
			await().atMost(Duration.ofSeconds(30)).until(() -> isDecided(topic(node).post("last" + node.bus.node())));
		}
		CompletableFuture.allOf(this.outcomes.values().toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
		await().untilAsserted(() -> assertThat(violations(true)).as("all has arrived").isEmpty());
	}

	/**
	 * Each node has answered in time, which a node of a busy machine may not do at first.
	 */
	private static boolean isDecided(CompletableFuture<Delivery> outcome) throws Exception {
		Delivery delivery = outcome.get(30, TimeUnit.SECONDS);
		return delivery.unknown() + delivery.failed() == 0;
	}

	private void disturb(boolean faults) {
		TestNode node = this.nodes.get(this.random.nextInt(3));
		int index = this.random.nextInt(this.clients.size());
		switch (this.random.nextInt(faults ? 5 : 3)) {
			case 0 -> topic(this.nodes.get(index % 3)).leave(this.clients.get(index).session()).join();
			case 1 -> rejoin(index);
			case 2 -> Thread.yield();
			case 3 -> {
				node.bus.deaf = true;
				long seen = this.published.size() + this.random.nextInt(40);
				while (this.published.size() < Math.min(seen, 1100)) {
					Thread.onSpinWait();
				}
				node.bus.deaf = false;
			}
			default -> node.bus.interrupt();
		}
	}

	/** Another session, as one that comes back has a hole by right. */
	private void rejoin(int index) {
		TestNode node = this.nodes.get(index % 3);
		TestNode.Client client = node.open("client-" + this.clients.size(), null);
		if (this.clients.size() < 300 && this.clients.size() % 3 == index % 3) {
			topic(node).join(client.session()).join();
			this.clients.add(client);
		}
		else {
			client.leave();
		}
	}

	/** What is wrong with what sessions were sent. */
	private List<String> violations(boolean gaps) {
		List<String> wrong = new ArrayList<>();
		Map<String, Integer> got = new HashMap<>();
		for (TestNode.Client client : this.clients) {
			long before = 0;
			Set<Long> seen = new HashSet<>();
			for (Object sent : client.sent) {
				Matcher message = MESSAGE.matcher(sent.toString());
				Matcher gap = GAP.matcher(sent.toString());
				if (gap.matches()) {
					long end = Long.parseLong(gap.group(1));
					if (!gaps || end <= before) {
						wrong.add(client.getId() + " got a gap at " + end + " after " + before);
					}
					before = end;
					continue;
				}
				if (!message.matches()) {
					wrong.add(client.getId() + " got " + sent);
					continue;
				}
				got.merge(message.group(1), 1, Integer::sum);
				long at = Long.parseLong(message.group(2));
				if (!seen.add(at) || before > 0 && at != before + 1) {
					wrong.add(client.getId() + " got " + at + " after " + before);
				}
				String text = this.published.get(at);
				if (text != null && !text.equals(message.group(1))) {
					wrong.add(client.getId() + " got " + message.group(1) + " for " + text);
				}
				before = at;
			}
		}
		this.outcomes.forEach((text, outcome) -> {
			int receivers = got.getOrDefault(text, 0);
			if (outcome.isDone() && !isTrue(outcome.join(), receivers)) {
				wrong.add(text + " was received by " + receivers + ", and its outcome is " + outcome.join());
			}
		});
		return wrong;
	}

	/** Each success was received, and no failure was. */
	private static boolean isTrue(Delivery outcome, int receivers) {
		boolean counted = outcome.silentNodes().isEmpty();
		return receivers >= outcome.sent() && (!counted || receivers <= outcome.sent() + outcome.unknown());
	}

}
