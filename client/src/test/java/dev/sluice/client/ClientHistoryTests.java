package dev.sluice.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories, each by a seed, of a client that loses its connections, is killed and
 * started again, beside an oracle of all that was published.
 */
class ClientHistoryTests {

	private static final int SEEDS = Boolean.getBoolean("sluice.test.full") ? 300 : 40;

	private static final int STEPS = 400;

	@ParameterizedTest
	@EnumSource
	void nothingIsLostDoubledOrOutOfOrder(Delivery delivery) {
		int sessions = 0;
		for (int seed = 1; seed <= SEEDS; seed++) {
			History history = new History(seed, delivery);
			try {
				history.play();
				history.lacksNothing();
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError("Seed " + seed + ": " + ex.getMessage(), ex);
			}
			sessions += history.server.sessions.size();
		}
		assertThat(sessions).as("sessions, of which some were forgotten").isGreaterThan(SEEDS);
	}

	/** One history, and what the application in it was told. */
	private static final class History {

		private final HistoryServer server;

		private final Random random;

		private final Delivery delivery;

		private final List<String> failures = new ArrayList<>();

		private @Nullable String stored;

		private final Map<String, Set<Integer>> begun = new HashMap<>();

		private final Map<String, Set<Integer>> handled = new HashMap<>();

		private final Map<String, Integer> covered = new HashMap<>();

		private final Set<Integer> directBegun = new HashSet<>();

		private final Set<Integer> directHandled = new HashSet<>();

		private int told;

		private Process process;

		History(int seed, Delivery delivery) {
			this.random = new Random(seed);
			this.server = new HistoryServer(this.random);
			this.delivery = delivery;
			for (String topic : HistoryServer.TOPICS) {
				this.begun.put(topic, new HashSet<>());
				this.handled.put(topic, new HashSet<>());
				this.covered.put(topic, 0);
			}
			this.process = new Process();
		}

		void play() {
			for (int step = 0; step < STEPS; step++) {
				act(this.random.nextInt(95));
				this.server.clock.advance(this.server.upTo((this.random.nextInt(20) == 0) ? 3_000 : 60));
				assertThat(this.failures).isEmpty();
			}
			this.server.calm = true;
			for (int i = 0; i < 3; i++) {
				this.server.clock.advance(Duration.ofMinutes(1));
				this.process.client.reconnect();
			}
			this.server.clock.advance(Duration.ofMinutes(1));
			assertThat(this.failures).isEmpty();
			assertThat(this.process.client.state()).isEqualTo(ClientState.OPEN);
		}

		private void act(int choice) {
			String topic = HistoryServer.TOPICS.get(this.random.nextInt(2));
			HistoryServer.Line line = this.server.line;
			if (choice < 40) {
				this.server.publish(topic);
			}
			else if (choice < 80) {
				this.server.post();
			}
			else if (choice < 84 && line != null) {
				this.server.cut(line, List.of(1001, 1006, 1011, 1013, 4500).get(this.random.nextInt(5)));
			}
			else if (choice == 84 && line != null) {
				line.halfOpen = true;
			}
			else if (choice == 85) {
				this.process.client.reconnect();
			}
			else if (choice <= 88) {
				if (this.random.nextBoolean()) {
					this.process.client.suspend();
				}
				this.process.alive = false;
				this.process = new Process();
			}
			else if (choice <= 91) {
				this.server.trim(topic);
			}
			else {
				this.server.kill();
			}
		}

		void lacksNothing() {
			this.server.topics.forEach((name, topic) -> {
				Set<Integer> seen = ((this.delivery == Delivery.AT_LEAST_ONCE) ? this.handled : this.begun).get(name);
				assertThat(IntStream.rangeClosed(this.covered.get(name) + 1, topic.last)).as("%s that is lost", name)
					.allMatch(seen::contains);
			});
			Set<Integer> seen = (this.delivery == Delivery.AT_LEAST_ONCE) ? this.directHandled : this.directBegun;
			assertThat(this.server.latest().posted.stream().filter((id) -> id > this.told && !seen.contains(id)))
				.as("direct messages that are lost")
				.isEmpty();
		}

		/** A process of the application. */
		private final class Process implements ClientListener, SessionStore {

			private final SluiceClient client;

			private final Set<Integer> directHere = new HashSet<>();

			private final Map<String, Integer> latestHere = new HashMap<>();

			private boolean alive = true;

			Process() {
				HistoryServer server = History.this.server;
				this.client = SluiceClient.builder(URI.create("ws://test/rooms"), this)
					.delivery(History.this.delivery)
					.store(this)
					.queueCapacity(10)
					.random(History.this.random)
					.executor(Runnable::run)
					.scheduler((task, delay) -> server.clock.schedule(() -> {
						if (this.alive) {
							task.run();
						}
					}, delay))
					.dialer((listener) -> server.accept(listener, () -> this.alive))
					.connect();
			}

			@Override
			public @Nullable String load() {
				return History.this.stored;
			}

			@Override
			public void save(@Nullable String session) {
				if (this.alive) {
					History.this.stored = session;
				}
			}

			@Override
			public void onSession(NewSession session) {
				for (String topic : HistoryServer.TOPICS) {
					cover(topic, History.this.server.latest().joined.get(topic));
				}
			}

			@Override
			public void onResumed(ResumedSession session) {
				if (!session.direct()) {
					History.this.told = History.this.server.latest().droppedId;
				}
			}

			@Override
			public @Nullable CompletionStage<?> onGap(TopicGap gap) {
				String position = gap.position();
				cover(gap.topic(), (position != null) ? HistoryServer.number(position)
						: History.this.server.latest().gaps.get(gap.topic()));
				return null;
			}

			private void cover(String topic, int number) {
				History.this.covered.merge(topic, number, Math::max);
				this.latestHere.merge(topic, number, Math::max);
			}

			@Override
			public @Nullable CompletionStage<?> onMessage(ClientMessage message) {
				Runnable done = message.number().isPresent() ? enterDirect(message) : enter(message);
				if (!History.this.server.chance(0.3)) {
					done.run();
					return null;
				}
				CompletableFuture<?> handled = new CompletableFuture<>();
				History.this.server.clock.schedule(() -> {
					if (this.alive) {
						done.run();
						handled.complete(null);
					}
				}, History.this.server.upTo(200));
				return handled;
			}

			private Runnable enterDirect(ClientMessage message) {
				int id = message.json().path("id").asInt();
				History history = History.this;
				if (!this.directHere.add(id)) {
					history.failures.add("direct " + id + " was handled twice");
				}
				if (!history.directBegun.add(id) && history.delivery == Delivery.AT_MOST_ONCE) {
					history.failures.add("direct " + id + " came twice");
				}
				return () -> history.directHandled.add(id);
			}

			private Runnable enter(ClientMessage message) {
				History history = History.this;
				String topic = message.topic();
				int number = HistoryServer.number(message.json().path("at").asString());
				Set<Integer> before = history.begun.get(topic);
				if (number <= this.latestHere.getOrDefault(topic, 0)) {
					history.failures.add(topic + "/" + number + " came behind " + this.latestHere.get(topic));
				}
				this.latestHere.put(topic, number);
				for (int n = history.covered.get(topic) + 1; n < number; n++) {
					if (!before.contains(n)) {
						history.failures.add(topic + "/" + number + " came before " + n);
					}
				}
				if (!before.add(number) && history.delivery == Delivery.AT_MOST_ONCE) {
					history.failures.add(topic + "/" + number + " came twice");
				}
				return () -> history.handled.get(topic).add(number);
			}

			@Override
			public void onStateChange(StateChange change) {
				if (change.state() == ClientState.CLOSED && change.closeCode() != 4410) {
					History.this.failures.add("closed with " + change.closeCode());
				}
			}

			@Override
			public void onError(Throwable error) {
				if (!"rejected".equals(error.getMessage())) {
					History.this.failures.add(error.toString());
				}
			}

		}

	}

}
