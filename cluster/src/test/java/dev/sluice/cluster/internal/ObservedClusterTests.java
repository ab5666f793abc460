package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.TopicEntry;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.settings.QuotaLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

/** What an observer is told of two nodes, whose bus loses what a test says. */
class ObservedClusterTests {

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final List<String> told = new ArrayList<>();

	/** What a message takes with it. */
	private Map<String, String> headers = Map.of("trace", "7");

	/** What was open when something was written. */
	private final List<String> written = new ArrayList<>();

	/** What is open now. */
	private String open = "";

	private final TestNode one = node("one");

	private final TestNode other = node("other");

	private final TestNode.Client ann = this.other.open("1", "ann");

	private TestNode node(String name) {
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, this::write, 4, PresenceSettings.OFF,
				QuotaLimits.NONE, new Recorder(name), false);
	}

	private void write(Runnable writing) {
		this.written.add(this.open);
		writing.run();
	}

	@Test
	void whatIsAskedForIsObservedOnBothNodes() {
		SessionQuery query = SessionQuery.ofId(this.ann.clusterId());
		this.one.cluster.find(query).join();
		this.one.cluster.send(query, "sent").join();
		this.one.cluster.post(query, "posted").join();
		this.one.cluster.close(query, CloseStatus.NORMAL).join();
		for (String action : List.of("find", "send", "post", "close")) {
			assertThat(this.told).as(action)
				.filteredOn((one) -> one.matches(".*s " + action + "( .*)?"))
				.containsExactly("one sends " + action + " null", "other does " + action + " null {trace=7}",
						"other ends " + action, "one ends " + action);
		}
		assertThat(this.told).hasSize(16);
	}

	@Test
	void aPublicationIsObservedWhereItsTopicHasMembers() {
		this.one.cluster.topic("room").join(this.one.open("2", null).session()).join();
		this.other.cluster.topic("room").join(this.ann.session()).join();
		this.one.cluster.topic("room").publish("hello").join();
		assertThat(this.told).containsExactlyInAnyOrder("one sends publish room", "one does publish room {trace=7}",
				"other does publish room {trace=7}", "one ends publish", "other ends publish", "one ends publish");
		assertThat(this.ann.sent).singleElement().asString().startsWith("{\"type\":\"message\",\"data\":\"hello\"");
		assertThat(this.one.cluster.topic("room").history(1).join().get(0).frame()).isEqualTo(this.ann.sent.element());
		this.told.clear();
		assertThat(this.one.cluster.topic("room").post("hello").join().sent()).isEqualTo(2);
		assertThat(this.told).contains("one sends post room", "other does post room {trace=7}")
			.endsWith("one ends post");
	}

	@Test
	void aMessageIsSentWhileItIsObserved() {
		this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello").join();
		this.other.cluster.topic("room").join(this.ann.session()).join();
		this.one.cluster.topic("room").publish("hello").join();
		assertThat(this.written).containsExactly("send", "publish");
		assertThat(this.open).isEmpty();
	}

	@Test
	void aBroadcastIsObservedWhereItIsHeard() {
		List<String> heard = new ArrayList<>();
		this.other.cluster.broadcast().listen((text) -> heard.add(text.payload() + " in " + this.open));
		this.one.cluster.broadcast().listen((text) -> {
			throw new IllegalStateException("planned");
		});
		this.one.cluster.broadcast().publish("key", "text").join();
		assertThat(heard).containsExactly("text in broadcast");
		assertThat(this.told).containsExactlyInAnyOrder("one sends broadcast null",
				"other does broadcast null {trace=7}", "other ends broadcast", "one does broadcast null {trace=7}",
				"one ends broadcast with planned", "one ends broadcast");
	}

	@Test
	void whatFailsEndsWithTheReason() {
		this.one.bus.unavailable = true;
		this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		this.one.cluster.topic("room").publish("hello");
		this.one.cluster.topic("room").publish(new byte[1]);
		assertThat(this.told).contains("one ends send with unavailable")
			.filteredOn((one) -> one.startsWith("one ends publish with"))
			.hasSize(2);
	}

	@Test
	void aNodeThatDoesNotAnswerIsToldOf() {
		this.one.bus.lost = (frame) -> frame.contains("\"answer\"");
		this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.told).endsWith("one misses an answer to send", "one ends send");
	}

	@Test
	void withoutHeadersAMessageIsAsItWas() {
		this.headers = Map.of();
		List<String> frames = new ArrayList<>();
		this.other.bus.lost = (frame) -> !frames.add(frame);
		this.other.cluster.topic("room").join(this.ann.session()).join();
		this.one.cluster.topic("room").publish("hello").join();
		this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello").join();
		assertThat(frames).singleElement().asString().doesNotContain("headers");
		assertThat(this.one.bus.read("t:room", null).join().entries()).extracting(TopicEntry::payload)
			.containsExactly("07:7:message\"hello\"");
	}

	/** Tells of all that it is told. */
	private final class Recorder implements ClusterObserver {

		private final String node;

		Recorder(String node) {
			this.node = node;
		}

		@Override
		public ObservedExchange sending(String action, @Nullable String topic) {
			ObservedClusterTests.this.told.add(this.node + " sends " + action + " " + topic);
			return new Exchange(this.node, action);
		}

		@Override
		public ObservedExchange receiving(String action, @Nullable String topic, Map<String, String> headers) {
			ObservedClusterTests.this.told.add(this.node + " does " + action + " " + topic + " " + headers);
			return new Exchange(this.node, action);
		}

	}

	/** Tells of what becomes of one thing. */
	private final class Exchange implements ObservedExchange {

		private final String node;

		private final String action;

		Exchange(String node, String action) {
			this.node = node;
			this.action = action;
		}

		@Override
		public Map<String, String> headers() {
			return ObservedClusterTests.this.headers;
		}

		@Override
		public ObservedMessage.Scope open() {
			String before = ObservedClusterTests.this.open;
			ObservedClusterTests.this.open = this.action;
			return () -> ObservedClusterTests.this.open = before;
		}

		@Override
		public void unanswered() {
			ObservedClusterTests.this.told.add(this.node + " misses an answer to " + this.action);
		}

		@Override
		public void ended(@Nullable Throwable failure) {
			ObservedClusterTests.this.told
				.add(this.node + " ends " + this.action + ((failure != null) ? " with " + message(failure) : ""));
		}

		private static @Nullable String message(Throwable failure) {
			return Tally.reason(failure).getMessage();
		}

	}

}
