package dev.sluice.cluster.endpoint;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.SessionRecords;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.endpoint.ResumeNode.Told;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import dev.sluice.websocket.settings.WebSocketSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Direct messages that are written before they are sent, on a bus that a test slows down.
 */
class WrittenOutboxTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	/** Ends when writes do that have begun since. */
	private volatile CompletableFuture<?> answer = CompletableFuture.completedFuture(null);

	private final AtomicInteger writes = new AtomicInteger();

	private final ResumeNode one = node();

	private final ResumeNode other = node();

	private ResumeNode node() {
		ClusterBus connected = this.bus.connect();
		ClusterBus slow = ProxiedRecords.of(connected, (records, method, arguments) -> {
			if (!method.getName().equals("keep")) {
				return method.invoke(records, arguments);
			}
			this.writes.incrementAndGet();
			CompletableFuture<?> until = this.answer;
			return until.isCompletedExceptionally() ? until : until.thenCompose((nothing) -> keep(records, arguments));
		});
		return new ResumeNode(slow, this.clock, new HistoryLimits(5, Duration.ofMinutes(5)),
				new ResumeSettings(Duration.ofMinutes(2), 4_000, 10, 1_000_000, true));
	}

	private static CompletableFuture<?> keep(SessionRecords records, Object[] arguments) {
		return records.keep((SessionRecord) arguments[0], (Duration) arguments[1]);
	}

	@AfterEach
	void close() {
		this.answer = CompletableFuture.completedFuture(null);
		this.one.close();
		this.other.close();
	}

	@Test
	void nothingIsSentBeforeItIsWrittenAndTheOrderStays() {
		Client ann = this.one.open("ann");
		CompletableFuture<Object> slow = new CompletableFuture<>();
		this.answer = slow;
		int before = this.writes.get();
		List<CompletableFuture<?>> sent = new CopyOnWriteArrayList<>();
		for (int number = 0; number < 20; number++) {
			sent.add(ann.session().post(new Told("m" + number)));
		}
		assertThat(ann.texts()).isEmpty();
		assertThat(sent).noneMatch(CompletableFuture::isDone);
		this.answer = CompletableFuture.completedFuture(null);
		slow.complete(null);
		assertThat(ann.texts()).containsExactlyElementsOf(texts(0, 20));
		assertThat(ann.seq).isEqualTo(20);
		assertThat(sent).allMatch(CompletableFuture::isDone);
		assertThat(this.writes.get() - before).as("writes of twenty messages").isEqualTo(2);
	}

	@Test
	void whatIsDroppedFromAFullBufferFailsAndIsToldThoughLaterOnesAreAcknowledged() throws Exception {
		ExecutorService sending = Executors.newCachedThreadPool();
		WebSocketSettings defaults = TestSettings.of(TestSettings
			.limits(new SendLimits(Duration.ofSeconds(10), 4 * MessageCost.SENT), SendOverflow.DROP_OLDEST));
		try (ResumeNode node = new ResumeNode(this.bus.connect(), this.clock,
				new HistoryLimits(5, Duration.ofMinutes(5)),
				new ResumeSettings(Duration.ofMinutes(2), 100_000, 10, 1_000_000, true), Runnable::run, sending,
				defaults)) {
			Client ann = node.open("ann");
			Awaitility.await().atMost(PATIENCE).until(() -> ann.frames.size() == 2);
			Semaphore taken = new Semaphore(0);
			node.fault = (client) -> taken.acquireUninterruptibly();
			List<CompletableFuture<?>> sent = new CopyOnWriteArrayList<>();
			for (int number = 0; number < 30; number++) {
				sent.add(ann.session().post(new Told("m" + number)));
			}
			taken.release(1_000);
			Awaitility.await().atMost(PATIENCE).until(() -> ann.texts().contains("m29"));
			ann.ack();
			Awaitility.await().atMost(PATIENCE).until(() -> sent.stream().allMatch(CompletableFuture::isDone));
			List<String> answered = IntStream.range(0, 30)
				.filter((number) -> !sent.get(number).isCompletedExceptionally())
				.mapToObj((number) -> "m" + number)
				.toList();
			assertThat(answered).hasSizeBetween(1, 29).containsExactlyElementsOf(ann.texts());
			ann.lose();
			Client back = node.resume(ann);
			Awaitility.await().atMost(PATIENCE).until(() -> !back.frames.isEmpty());
			assertThat(back.first().path("direct").asBoolean()).isFalse();
		}
		finally {
			sending.shutdown();
		}
	}

	@Test
	void whatWasNotAcknowledgedIsSentByAnotherNodeWhenItsNodeIsKilled() {
		Client ann = this.one.open("ann");
		IntStream.range(0, 3).forEach((number) -> ann.session().post(new Told("m" + number)));
		ann.ack();
		ann.gone = true;
		IntStream.range(3, 6).forEach((number) -> ann.session().post(new Told("m" + number)));
		this.one.kill();
		Client back = this.other.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isTrue();
		assertThat(back.texts()).containsExactlyElementsOf(texts(3, 6));
		back.session().post(new Told("m6"));
		assertThat(back.texts()).endsWith("m6");
		assertThat(back.seq).isEqualTo(7);
	}

	@Test
	void whatCouldNotBeWrittenFailsIsNotSentAndIsToldLater() {
		Client ann = this.one.open("ann");
		ann.session().post(new Told("m0"));
		this.answer = CompletableFuture.failedFuture(new BusUnavailableException("unavailable", false, null));
		assertThat(ann.session().post(new Told("lost"))).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(BusUnavailableException.class);
		this.answer = CompletableFuture.completedFuture(null);
		ann.session().post(new Told("m1"));
		assertThat(ann.texts()).containsExactly("m0", "m1");
		ann.gone = true;
		this.one.kill();
		Client back = this.other.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).as("m1 has come behind what was lost").isTrue();
		ann.seq = 1;
		assertThat(this.other.resume(ann).first().path("direct").asBoolean()).isFalse();
	}

	@Test
	void whatIsSentWhileThereIsNoConnectionIsWrittenToo() {
		Client ann = this.one.open("ann");
		ManagedSession session = ann.session();
		ann.lose();
		session.post(new Told("m0"));
		this.one.kill();
		Client back = this.other.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isTrue();
		assertThat(back.texts()).containsExactly("m0");
	}

	@Test
	void aNodeWhoseSessionWasClaimedSendsNothingMore() {
		Client ann = this.one.open("ann");
		CompletableFuture<Object> slow = new CompletableFuture<>();
		this.answer = slow;
		CompletableFuture<?> late = ann.session().post(new Told("late"));
		this.answer = CompletableFuture.completedFuture(null);
		this.other.resume(ann);
		slow.complete(null);
		assertThat(late).isCompletedExceptionally();
		assertThat(ann.texts()).isEmpty();
	}

	@Test
	void theOutcomeIsUnknownWhereAnotherNodeSendsTheMessage() {
		Client ann = this.one.open("ann");
		SessionQuery query = SessionQuery.ofId(this.one.cluster.idOf(ann.session()));
		this.one.fault = (client) -> {
			client.gone = true;
			throw new IOException("expected");
		};
		CompletableFuture<?> sent = ann.session().post(new Told("m0"));
		CompletableFuture<Delivery> posted = this.other.cluster.post(query, new Told("m1"));
		Client back = this.other.resume(ann);
		assertThat(back.texts()).containsExactly("m0", "m1");
		assertThat(sent).failsWithin(PATIENCE)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(SessionClosedException.class,
					(failure) -> assertThat(failure.isUndecided()).isTrue());
		assertThat(posted).isCompletedWithValue(new Delivery(0, 0, 1, Set.of(), Map.of()));
	}

	/** More messages than the buffer keeps are sent on a connection that is lost. */
	@Test
	void eachMessageThatIsDroppedWithoutAConnectionHasAnOutcome() {
		Client ann = this.one.open("ann");
		ManagedSession session = ann.session();
		this.one.fault = (client) -> {
			client.gone = true;
			throw new IOException("expected");
		};
		List<CompletableFuture<?>> sent = new CopyOnWriteArrayList<>();
		for (int number = 0; number < 20; number++) {
			sent.add(session.post(new Told("m" + number)));
		}
		this.one.fault = (client) -> {
		};
		Client back = this.one.resume(ann);
		assertThat(back.first().path("direct").asBoolean()).isFalse();
		List<String> received = back.texts();
		assertThat(sent).allMatch(CompletableFuture::isDone);
		for (int number = 0; number < 20; number++) {
			assertThat(sent.get(number).isCompletedExceptionally()).isEqualTo(!received.contains("m" + number));
		}
	}

	private static List<String> texts(int from, int to) {
		return IntStream.range(from, to).mapToObj((number) -> "m" + number).toList();
	}

}
