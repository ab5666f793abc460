package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that stall while a topic goes on, and what they are sent then. */
@Timeout(60)
class CatchUpTests {

	/** What a message of these tests costs, or a little less. */
	private static final int COST = 370;

	private static final int HISTORY = 1_000;

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	/** Messages that clients have not taken yet. */
	private final List<Runnable> sending = new ArrayList<>();

	private TestNode node = node(10, HISTORY);

	private TestNode node(int room, int history) {
		SendLimits limits = new SendLimits(Duration.ofSeconds(10), room * COST);
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, this.sending::add, history,
				PresenceSettings.OFF, TestSettings.limits(limits, SendOverflow.CATCH_UP));
	}

	private Topic room() {
		return this.node.cluster.topic("room");
	}

	private TestNode.Client member(String id) {
		TestNode.Client client = this.node.open(id, null);
		room().join(client.session()).join();
		return client;
	}

	@Test
	void nothingIsReadForAClientThatStallsAndAllFollowsWhenItGoesOn() {
		TestNode.Client ann = member("ann");
		publish(1, 60);
		assertThat(this.sending).hasSize(1);
		assertThat(this.node.bus.pages).hasValue(0);
		take();
		assertThat(numbers(ann)).containsExactlyElementsOf(IntStream.rangeClosed(1, 60).boxed().toList());
		assertThat(gaps(ann)).isZero();
		publish(61, 62);
		take();
		assertThat(numbers(ann)).endsWith(60, 61, 62).hasSize(62);
	}

	@Test
	void whatIsPublishedMeanwhileDoesNotOvertakeThePages() {
		TestNode.Client ann = member("ann");
		publish(1, 60);
		for (int number = 61; number <= 90; number++) {
			this.sending.remove(0).run();
			publish(number, number);
		}
		take();
		assertThat(numbers(ann)).containsExactlyElementsOf(IntStream.rangeClosed(1, 90).boxed().toList());
	}

	@Test
	void manyThatStallAreReadForTogether() {
		List<TestNode.Client> herd = IntStream.range(0, 200).mapToObj((index) -> member("client-" + index)).toList();
		publish(1, 40);
		assertThat(this.sending).hasSize(200);
		List<Runnable> taken = new ArrayList<>(this.sending);
		this.sending.clear();
		this.node.bus.unavailable = true;
		taken.forEach(Runnable::run);
		this.node.bus.unavailable = false;
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.node.bus.pages.get()).isLessThan(5);
		take();
		assertThat(herd).allSatisfy((client) -> assertThat(numbers(client))
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 40).boxed().toList()));
	}

	@Test
	void theHistoryIsReadInPages() {
		this.node.close();
		this.node = node(400, HISTORY);
		TestNode.Client ann = member("ann");
		publish(1, 410);
		this.sending.remove(0).run();
		assertThat(this.node.bus.pages).hasValue(2);
		take();
		assertThat(numbers(ann)).containsExactlyElementsOf(IntStream.rangeClosed(1, 410).boxed().toList());
		assertThat(this.node.bus.pages.get()).isBetween(4, 10);
	}

	@Test
	void whereTheHistoryDoesNotHoldThemAGapStandsInTheirPlace() {
		this.node.close();
		this.node = node(10, 4);
		TestNode.Client ann = member("ann");
		publish(1, 60);
		take();
		publish(61, 61);
		take();
		assertThat(frames(ann).get(1)).contains("\"type\":\"gap\"", "\"at\":\"56.");
		assertThat(numbers(ann)).containsExactly(1, 57, 58, 59, 60, 61);
		assertThat(gaps(ann)).isOne();
	}

	@Test
	void afterAGapThatTheNodeHasToldNothingIsSkippedAndNoGapIsToldAgain() {
		this.node.close();
		this.node = node(10, 4);
		TestNode.Client ann = member("ann");
		publish(1, 1);
		take();
		this.node.bus.deaf = true;
		publish(2, 10);
		this.node.bus.deaf = false;
		publish(11, 11);
		assertThat(this.sending).as("the gap").hasSize(1);
		ann.session().post("x".repeat(8 * COST));
		take();
		assertThat(numbers(ann)).containsExactly(1, 8, 9, 10, 11);
		assertThat(gaps(ann)).isOne();
	}

	@Test
	void withoutAHistoryAGapThatTheNodeHasToldHasItsPlace() {
		this.node.close();
		this.node = node(10, 0);
		TestNode.Client ann = member("ann");
		this.node.bus.deaf = true;
		publish(1, 10);
		this.node.bus.deaf = false;
		publish(11, 11);
		take();
		publish(12, 12);
		take();
		assertThat(frames(ann).get(0)).contains("\"type\":\"gap\"", "\"at\":\"10.");
		assertThat(numbers(ann)).containsExactly(11, 12);
	}

	@Test
	void withoutAHistoryAClientIsToldOfTheGapAndGoesOn() {
		this.node.close();
		this.node = node(10, 0);
		TestNode.Client ann = member("ann");
		publish(1, 60);
		take();
		publish(61, 61);
		take();
		assertThat(numbers(ann)).containsExactly(1, 61);
		assertThat(gaps(ann)).isOne();
	}

	@Test
	void aDirectMessageCostsMessagesOfTopicsTheirPlaceAndNotTheSession() {
		TestNode.Client ann = member("ann");
		publish(1, 9);
		CompletableFuture<?> direct = ann.session().post("x".repeat(8 * COST));
		take();
		assertThat(direct).isCompleted();
		assertThat(numbers(ann)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
		assertThat(frames(ann).get(1)).startsWith("xxx");
		assertThat(ann.isOpen()).isTrue();
	}

	@Test
	void whatIsBeingDroppedIsNotSentThoughItsTurnComes() {
		TestNode.Client ann = member("ann");
		publish(1, 1);
		room().post("2").thenRun(() -> this.sending.remove(0).run());
		publish(3, 9);
		ann.session().post("x".repeat(8 * COST));
		take();
		assertThat(numbers(ann)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
		assertThat(frames(ann).get(1)).startsWith("xxx");
	}

	@Test
	void directMessagesThatAloneExceedTheBufferEndTheSession() {
		TestNode.Client ann = member("ann");
		publish(1, 60);
		ann.session().post("x".repeat(6 * COST));
		assertThat(ann.isOpen()).isTrue();
		assertThat(ann.session().post("x".repeat(6 * COST))).isCompletedExceptionally();
		assertThat(ann.isOpen()).isFalse();
	}

	@Test
	void aPostTellsThatAClientWasNotSentIt() {
		TestNode.Client ann = member("ann");
		publish(1, 60);
		CompletableFuture<Delivery> posted = room().post("61");
		assertThat(posted.join().failures()).isEqualTo(Map.of("TaskDroppedException", 1));
		take();
		assertThat(numbers(ann)).endsWith(60, 61);
	}

	@Test
	void aPageThatCannotBeReadIsReadLater() {
		TestNode.Client ann = member("ann");
		publish(1, 60);
		this.node.bus.unavailable = true;
		take();
		assertThat(numbers(ann)).containsExactly(1);
		this.node.bus.unavailable = false;
		this.clock.advance(Duration.ofSeconds(3));
		take();
		assertThat(numbers(ann)).hasSize(60);
		assertThat(gaps(ann)).isZero();
	}

	@Test
	void whoLeavesIsSentNothingThatWasMissed() {
		TestNode.Client ann = member("ann");
		publish(1, 60);
		room().leave(ann.session()).join();
		take();
		assertThat(numbers(ann)).containsExactly(1);
		room().join(ann.session()).join();
		publish(61, 61);
		take();
		assertThat(numbers(ann)).containsExactly(1, 61);
	}

	private void publish(int first, int last) {
		for (int number = first; number <= last; number++) {
			room().publish("" + number).join();
		}
	}

	private void take() {
		while (!this.sending.isEmpty()) {
			this.sending.remove(0).run();
		}
	}

	private static List<String> frames(TestNode.Client client) {
		return client.sent.stream().filter(String.class::isInstance).map(String.class::cast).toList();
	}

	private static List<Integer> numbers(TestNode.Client client) {
		return frames(client).stream()
			.filter((frame) -> frame.contains("\"data\""))
			.map((frame) -> Integer.valueOf(frame.replaceAll(".*\"data\":\"(\\d+)\".*", "$1")))
			.toList();
	}

	private static long gaps(TestNode.Client client) {
		return frames(client).stream().filter((frame) -> frame.contains("\"gap\"")).count();
	}

}
