package dev.sluice.cluster.internal;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.FoundSessions;
import dev.sluice.cluster.NodeInfo;
import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Two nodes whose messages are delivered at once, or lost, on a clock that is set. */
class SessionClusterTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final TestNode one = new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 10);

	private final TestNode other = new TestNode(this.bus.connect(), Runnable::run, this.clock, this.sending::add, 10);

	private final TestNode.Client client = this.other.open("1", "ann");

	@Test
	void aMessageIsSentWhenItIsWrittenToTheSocket() {
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofId(this.client.clusterId()), "hello");
		assertThat(sent).isNotDone();
		this.clock.advance(TIMEOUT.multipliedBy(3));
		assertThat(sent).as("its node is there, and its client is slow").isNotDone();
		write();
		assertThat(sent).isCompletedWithValue(new Delivery(1, 0, 0, Set.of(), Map.of()));
		assertThat(sent.join().isComplete()).isTrue();
		assertThat(this.client.sent).containsExactly("hello");
	}

	@Test
	void bytesArriveAsBytes() {
		this.one.cluster.send(SessionQuery.all(), new byte[] { 1, 2, -3 });
		write();
		assertThat(this.client.sent).containsExactly(ByteBuffer.wrap(new byte[] { 1, 2, -3 }));
	}

	@Test
	void sessionsOfAPrincipalAreReachedOnAllNodesAndOthersAreNot() {
		TestNode.Client here = this.one.open("1", "ann");
		TestNode.Client bob = this.one.open("2", "bob");
		TestNode.Client nobody = this.other.open("3", null);
		CompletableFuture<Delivery> posted = this.one.cluster.post(SessionQuery.ofPrincipal("ann"), Map.of("a", 1));
		write();
		assertThat(posted).isCompletedWithValue(new Delivery(2, 0, 0, Set.of(), Map.of()));
		assertThat(here.sent).containsExactly("{\"a\":1}");
		assertThat(this.client.sent).containsExactly("{\"a\":1}");
		assertThat(bob.sent).isEmpty();
		assertThat(nobody.sent).isEmpty();
	}

	@Test
	void aPrincipalIsForgottenWithItsLastSession() {
		TestNode.Client second = this.other.open("2", "ann");
		this.client.leave();
		CompletableFuture<FoundSessions> found = this.one.cluster.find(SessionQuery.ofPrincipal("ann"));
		assertThat(found.join().sessions()).extracting(SessionInfo::id).containsExactly(second.clusterId());
		second.leave();
		assertThat(this.one.bus.route("u:ann", "frame").join()).isEmpty();
		assertThat(this.one.cluster.find(SessionQuery.ofPrincipal("ann")).join())
			.isEqualTo(new FoundSessions(List.of(), 0, Set.of()));
	}

	@Test
	void sessionsThatOpenedBeforeTheClusterAreFound() {
		assertThat(this.one.cluster.find(SessionQuery.all().andType("handler")).join().sessions())
			.containsExactly(new SessionInfo(this.client.clusterId(), this.other.bus.node(), "ann", "handler"));
	}

	@Test
	void sessionsAreFoundByAttributesAndTopics() {
		TestNode.Client here = this.one.open("2", null);
		here.session().attributes().put("tenant", 7);
		assertThat(ids(SessionQuery.all().andAttribute("tenant", "7"))).containsExactly(here.clusterId());
		assertThat(ids(SessionQuery.all().andAttribute("tenant", "8"))).isEmpty();
		this.one.cluster.topic("room").join(here.session());
		assertThat(ids(SessionQuery.inTopic("room"))).containsExactly(here.clusterId());
		assertThat(ids(SessionQuery.inTopic("room").andPrincipal("ann"))).isEmpty();
	}

	private List<String> ids(SessionQuery query) {
		return this.other.cluster.find(query).join().sessions().stream().map(SessionInfo::id).toList();
	}

	@Test
	void nodesAnswerWithABoundedNumberOfSessionsAndTellHowManyThereAre() {
		IntStream.range(0, 1100).forEach((index) -> this.one.open("many-" + index, null));
		FoundSessions found = this.other.cluster.find(SessionQuery.all()).join();
		assertThat(found.sessions()).hasSize(1001);
		assertThat(found.count()).isEqualTo(1101);
	}

	@Test
	void aSessionThatIsNotThereFails() {
		Delivery none = new Delivery(0, 1, 0, Set.of(), Map.of(Delivery.NO_SUCH_SESSION, 1));
		assertThat(this.one.cluster.send(SessionQuery.ofId(this.other.cluster.idOf(this.client.session()) + "0"), "a"))
			.isCompletedWithValue(none);
		assertThat(this.one.cluster.send(SessionQuery.ofId("gone.1"), "a")).isCompletedWithValue(none);
		assertThat(this.one.cluster.send(SessionQuery.ofId("1"), "a")).isCompletedWithValue(none);
		assertThat(this.one.cluster.send(SessionQuery.ofPrincipal("nobody"), "a"))
			.isCompletedWithValue(new Delivery(0, 0, 0, Set.of(), Map.of()));
	}

	@Test
	void aSessionThatClosesBeforeTheMessageIsWrittenFails() {
		this.client.session().post("on its way");
		CompletableFuture<Delivery> sent = this.one.cluster.post(SessionQuery.ofPrincipal("ann"), "late");
		this.client.session().abort();
		write();
		assertThat(sent).isCompletedWithValue(new Delivery(0, 1, 0, Set.of(), Map.of("SessionClosedException", 1)));
	}

	@Test
	void sessionsAreClosedAnywhere() {
		CompletableFuture<Delivery> closed = this.one.cluster.close(SessionQuery.ofPrincipal("ann"),
				CloseStatus.POLICY_VIOLATION.withReason("bye"));
		write();
		assertThat(this.client.sent).containsExactly(CloseStatus.POLICY_VIOLATION.withReason("bye"));
		assertThat(closed).isCompletedWithValue(new Delivery(1, 0, 0, Set.of(), Map.of()));
	}

	@Test
	void aLostReceiptIsAskedFor() {
		this.one.bus.lost = (frame) -> frame.contains("\"answer\"");
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		write();
		this.one.bus.lost = (frame) -> false;
		assertThat(sent).isNotDone();
		this.clock.advance(TIMEOUT.dividedBy(2));
		assertThat(sent).isCompletedWithValue(new Delivery(1, 0, 0, Set.of(), Map.of()));
		assertThat(this.client.sent).as("once").containsExactly("hello");
	}

	@Test
	void aLostRequestIsSentAgain() {
		this.other.bus.lost = (frame) -> frame.contains("\"request\"");
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		assertThat(this.sending).isEmpty();
		this.other.bus.lost = (frame) -> false;
		this.clock.advance(TIMEOUT.dividedBy(2));
		write();
		assertThat(sent).isCompletedWithValue(new Delivery(1, 0, 0, Set.of(), Map.of()));
		assertThat(this.client.sent).containsExactly("hello");
	}

	@Test
	void aNodeThatIsLostAfterTheHandOverIsUnknown() {
		this.other.open("2", "ann");
		this.one.open("3", "ann");
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		this.clock.advance(TIMEOUT.dividedBy(2));
		this.other.bus.lost = (frame) -> true;
		this.clock.advance(TIMEOUT.multipliedBy(2));
		assertThat(sent).isCompletedWithValue(new Delivery(1, 0, 2, Set.of(this.other.bus.node()), Map.of()));
	}

	@Test
	void aNodeThatNeverAnswersIsUnknownOnce() {
		this.other.bus.lost = (frame) -> true;
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		this.clock.advance(TIMEOUT.multipliedBy(2));
		assertThat(sent).isCompletedWithValue(new Delivery(0, 0, 1, Set.of(this.other.bus.node()), Map.of()));
	}

	@Test
	void aHandOverWithoutAnAnswerIsFoundOut() {
		this.one.bus.unanswered = true;
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		this.one.bus.unanswered = false;
		write();
		this.clock.advance(TIMEOUT.dividedBy(2));
		assertThat(sent).isCompletedWithValue(new Delivery(1, 0, 0, Set.of(), Map.of()));
		assertThat(this.client.sent).containsExactly("hello");
	}

	@Test
	void whatIsNotHandedOverFails() {
		this.one.bus.unavailable = true;
		assertThat(this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello")).isCompletedExceptionally();
		assertThat(this.one.cluster.topic("room").publish("hello")).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withCauseInstanceOf(BusUnavailableException.class);
		TestNode.Client here = this.one.open("2", null);
		assertThat(this.one.cluster.send(SessionQuery.ofId(here.clusterId()), "own").join().sent()).isOne();
	}

	@Test
	void aNodeThatIsCutOffDoesNotSayThatASessionIsNotThere() {
		this.one.bus.lapsed = true;
		assertThat(this.one.cluster.send(SessionQuery.ofId(this.client.clusterId()), "hello")).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withCauseInstanceOf(BusUnavailableException.class);
	}

	@Test
	void aNodeThatIsCutOffDoesNotSayThatWhatItHandedOverIsNowhere() {
		this.one.bus.lapsed = true;
		this.one.bus.unanswered = true;
		assertThat(this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello")).failsWithin(TIMEOUT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(BusUnavailableException.class,
					(failure) -> assertThat(failure.isUndecided()).isTrue());
	}

	@Test
	void allFuturesEndWhenTheNodeStops() {
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		this.one.close();
		assertThat(sent).isCompletedWithValue(new Delivery(0, 0, 1, Set.of(this.other.bus.node()), Map.of()));
		assertThat(this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello")).isCompletedExceptionally();
		assertThat(this.one.cluster.topic("room").post("hello")).isCompletedExceptionally();
		assertThat(this.other.cluster.nodes()).containsExactly(new NodeInfo(this.other.bus.node(), true));
	}

	@Test
	void nothingIsLeftWhenAllHasEnded() {
		CompletableFuture<Delivery> sent = this.one.cluster.send(SessionQuery.ofPrincipal("ann"), "hello");
		write();
		assertThat(sent).isCompleted();
		this.clock.advance(TIMEOUT.multipliedBy(2));
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void framesThatNobodyCanReadAreIgnored() {
		this.one.bus.broadcast("{\"request\":1}");
		this.one.bus.broadcast("nonsense");
		assertThat(this.one.cluster.find(SessionQuery.all()).join().count()).isOne();
	}

	@Test
	void namesOfTopicsAreBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.cluster.topic(""));
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.cluster.topic("x".repeat(256)));
		assertThat(this.one.cluster.topic("x".repeat(255)).name()).hasSize(255);
	}

	private void write() {
		while (!this.sending.isEmpty()) {
			this.sending.remove().run();
		}
	}

}
