package dev.sluice.cluster.endpoint;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.endpoint.ResumeNode.Told;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that are cut at random moments and resume at random nodes, beside an oracle of
 * all that was published and sent: each topic continues exactly behind the position that
 * the client knew, or a gap stands in between; behind {@code direct:true} no direct
 * message is missing; nothing comes twice; and each future of a direct message ends, and
 * has not failed for good if a client has received the message.
 */
class ResumeHistoryTests {

	private static final int CLIENTS = 8;

	private static final List<String> TOPICS = List.of("lobby", "a", "b");

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final Random random = new Random(22);

	private final List<ResumeNode> nodes = new ArrayList<>();

	/** The texts of each topic, in their order. */
	private final Map<String, List<String>> published = new HashMap<>();

	private int resumes;

	private int recovered;

	private int lost;

	private int expired;

	private int untold;

	private int numbers;

	private boolean writesThrough;

	/** The outcome of each direct message, and the node that awaits it. */
	private final Map<String, Map.Entry<ResumeNode, CompletableFuture<Delivery>>> outcomes = new HashMap<>();

	private final Set<String> everReceived = new HashSet<>();

	@Test
	void aThousandResumesLoseAndDoubleNothing() {
		run(1_000);
	}

	@Test
	@Tag("full")
	void tenThousandResumesLoseAndDoubleNothing() {
		run(10_000);
	}

	/** Nodes are killed, and nothing of what was sent is missing then either. */
	@Test
	void whatIsWrittenBeforeItIsSentOutlivesItsNode() {
		this.writesThrough = true;
		run(1_000);
	}

	private void run(int times) {
		for (int node = 0; node < 3; node++) {
			this.nodes.add(node());
		}
		TOPICS.forEach((topic) -> this.published.put(topic, new ArrayList<>()));
		List<Person> people = new ArrayList<>();
		for (int number = 0; number < CLIENTS; number++) {
			people.add(new Person("p" + number));
		}
		while (this.resumes < times) {
			Person person = people.get(this.random.nextInt(CLIENTS));
			switch (this.random.nextInt(12)) {
				case 0, 1, 2 -> publish(TOPICS.get(this.random.nextInt(TOPICS.size())));
				case 3, 4 -> person.post();
				case 5 -> person.acknowledge();
				case 6 -> person.fallSilent();
				case 7 -> person.lose();
				case 8, 9, 10 -> person.resume();
				default -> replaceNodeNowAndThen();
			}
		}
		people.forEach(Person::settle);
		people.forEach(Person::lose);
		for (int seconds = 0; seconds < 130; seconds++) {
			this.clock.advance(Duration.ofSeconds(1));
		}
		checkOutcomes();
		assertThat(this.recovered).isGreaterThan(this.resumes);
		assertThat(this.lost).isPositive();
		assertThat(this.expired).isPositive();
		if (this.writesThrough) {
			assertThat(this.untold).isZero();
		}
		else {
			assertThat(this.untold).isPositive().isLessThan(this.resumes / 4);
		}
		this.nodes.forEach(ResumeNode::close);
	}

	private void checkOutcomes() {
		Map<String, Object> wrong = new HashMap<>();
		int unknown = 0;
		for (Map.Entry<String, Map.Entry<ResumeNode, CompletableFuture<Delivery>>> one : this.outcomes.entrySet()) {
			CompletableFuture<Delivery> outcome = one.getValue().getValue();
			if (!outcome.isDone() && this.nodes.contains(one.getValue().getKey())) {
				wrong.put(one.getKey(), "has no outcome");
			}
			else if (outcome.isDone() && !outcome.isCompletedExceptionally()) {
				Delivery delivery = outcome.join();
				unknown += delivery.unknown();
				if (delivery.failed() > 0 && this.everReceived.contains(one.getKey())) {
					wrong.put(one.getKey(), delivery);
				}
			}
		}
		assertThat(wrong).isEmpty();
		assertThat(unknown).isPositive();
	}

	private ResumeNode node() {
		ResumeNode node = new ResumeNode(this.bus.connect(), this.clock, new HistoryLimits(12, Duration.ofMinutes(5)),
				new ResumeSettings(Duration.ofMinutes(2), 4_000, 100, 10_000_000, this.writesThrough));
		node.fault = (client) -> {
			if (client.gone && this.random.nextInt(3) == 0) {
				throw new IOException("expected");
			}
		};
		return node;
	}

	private void publish(String topic) {
		String text = topic + this.published.get(topic).size();
		this.published.get(topic).add(text);
		anyNode().cluster.topic(topic).publish(new Told(text)).join();
	}

	private ResumeNode anyNode() {
		return this.nodes.get(this.random.nextInt(this.nodes.size()));
	}

	private void replaceNodeNowAndThen() {
		if (this.random.nextInt(20) == 0) {
			this.nodes.remove(0).kill();
			this.nodes.add(node());
		}
	}

	/** Somebody with a session, and what of it has been seen. */
	private final class Person {

		private final String name;

		private Client client;

		private ResumeNode node;

		private int seen;

		/** How many texts of each topic came before the next. */
		private final Map<String, Integer> next = new HashMap<>();

		/** Direct texts, in the order in which they were sent. */
		private final List<String> sent = new ArrayList<>();

		private int received;

		private long lastSeq;

		private boolean mayMiss;

		Person(String name) {
			this.name = name;
			this.node = anyNode();
			this.client = this.node.open(name);
			begin();
		}

		private void begin() {
			this.seen = 0;
			this.next.clear();
			this.sent.clear();
			this.received = 0;
			this.lastSeq = 0;
			this.mayMiss = false;
			read();
			TOPICS.stream()
				.filter((topic) -> !topic.equals("lobby"))
				.forEach((topic) -> this.node.cluster.topic(topic).join(this.client.session()).join());
			read();
		}

		void post() {
			if (isConnected()) {
				String text = this.name + "-" + ResumeHistoryTests.this.numbers++;
				this.sent.add(text);
				ResumeNode origin = anyNode();
				CompletableFuture<Delivery> outcome = origin.cluster
					.post(SessionQuery.ofId(this.node.cluster.idOf(this.client.session())), new Told(text));
				ResumeHistoryTests.this.outcomes.put(text, Map.entry(origin, outcome));
				if (outcome.isDone() && outcome.join().failed() > 0) {
					this.sent.remove(text);
				}
			}
			read();
		}

		private boolean isConnected() {
			return ResumeHistoryTests.this.nodes.contains(this.node)
					&& this.node.dispatcher.sessions().get(this.client.getId()).isPresent();
		}

		void acknowledge() {
			if (!this.client.gone) {
				this.client.ack();
			}
		}

		/** The client has gone, and its node does not notice. */
		void fallSilent() {
			this.client.gone = true;
		}

		void lose() {
			if (isConnected()) {
				this.client.lose();
			}
		}

		void resume() {
			read();
			ResumeHistoryTests.this.resumes++;
			if (ResumeHistoryTests.this.random.nextInt(200) == 0) {
				lose();
				ResumeHistoryTests.this.clock.advance(Duration.ofMinutes(3));
			}
			this.client.gone = true;
			Client before = this.client;
			this.node = anyNode();
			this.client = this.node.resume(before);
			this.seen = 0;
			JsonNode first = this.client.first();
			if (first.path("type").asString().equals("session")) {
				ResumeHistoryTests.this.expired++;
				begin();
				return;
			}
			assertThat(first.path("recovered").size()).isEqualTo(TOPICS.size());
			first.path("recovered")
				.properties()
				.forEach((topic) -> count(topic.getKey(), topic.getValue().asBoolean()));
			this.mayMiss = !first.path("direct").asBoolean();
			if (this.mayMiss) {
				ResumeHistoryTests.this.untold++;
			}
			read();
			if (this.mayMiss) {
				this.received = this.sent.size();
				this.mayMiss = false;
			}
			if (ResumeHistoryTests.this.random.nextBoolean()) {
				acknowledge();
			}
		}

		private void count(String topic, boolean complete) {
			if (complete) {
				ResumeHistoryTests.this.recovered++;
			}
			else {
				ResumeHistoryTests.this.lost++;
			}
			assertThat(this.client.frames("gap").stream().anyMatch((gap) -> gap.path("topic").asString().equals(topic)))
				.isEqualTo(!complete);
		}

		/** Lets all arrive, and looks whether it is all. */
		void settle() {
			resume();
			TOPICS.forEach((topic) -> assertThat(this.next.get(topic)).as(topic)
				.isEqualTo(ResumeHistoryTests.this.published.get(topic).size()));
			assertThat(this.received).isEqualTo(this.sent.size());
		}

		private void read() {
			for (; this.seen < this.client.frames.size(); this.seen++) {
				JsonNode frame = this.client.frames.get(this.seen);
				if (frame.has("seq")) {
					readDirect(frame);
				}
				else if (frame.has("topic")) {
					readTopic(frame, frame.get("topic").asString());
				}
			}
		}

		private void readDirect(JsonNode frame) {
			if (frame.get("seq").asLong() <= this.lastSeq) {
				return;
			}
			this.lastSeq = frame.get("seq").asLong();
			ResumeHistoryTests.this.everReceived.add(frame.get("text").asString());
			int index = this.sent.indexOf(frame.get("text").asString());
			if (this.mayMiss) {
				assertThat(index).isGreaterThanOrEqualTo(this.received);
			}
			else {
				assertThat(index).as("%s in %s", frame, this.client.first()).isEqualTo(this.received);
			}
			this.received = index + 1;
		}

		private void readTopic(JsonNode frame, String topic) {
			List<String> all = ResumeHistoryTests.this.published.get(topic);
			String type = frame.path("type").asString("");
			if (type.equals("joined") || type.equals("gap")) {
				String at = frame.get("at").asString();
				int offset = at.equals("0") ? 0 : Integer.parseInt(at.substring(0, at.indexOf('.')));
				assertThat(offset).isGreaterThanOrEqualTo(this.next.getOrDefault(topic, 0));
				this.next.put(topic, offset);
				return;
			}
			assertThat(frame.get("text").asString()).as("after %s", this.client.first())
				.isEqualTo(all.get(this.next.get(topic)));
			this.next.merge(topic, 1, Integer::sum);
		}

	}

}
