package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.cluster.resume.outbox.Outbox;
import dev.sluice.cluster.resume.outbox.ResumeBudget;
import dev.sluice.test.SettableClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecordRefreshTests {

	private final SettableClock clock = new SettableClock();

	private final List<ResumableSession> connected = new ArrayList<>();

	private final List<ResumableSession> kept = new CopyOnWriteArrayList<>();

	private final Set<CompletableFuture<?>> unanswered = new HashSet<>();

	private final RecordRefresh refresh = new RecordRefresh(this.clock, this.connected, (session) -> {
		this.kept.add(session);
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.unanswered.add(answer);
		return answer;
	});

	private void connect(int sessions) {
		IntStream.range(0, sessions)
			.mapToObj((number) -> new ResumableSession("s" + number, new SessionOwner("", "/", ""), 1, List.of(),
					new Outbox("s" + number, 0, new ResumeBudget(0))))
			.forEach(this.connected::add);
	}

	/** Half of the answers are failures. */
	private void answerAll() {
		List<CompletableFuture<?>> answers = List.copyOf(this.unanswered);
		this.unanswered.clear();
		for (int number = 0; number < answers.size(); number++) {
			if (number % 2 == 0) {
				answers.get(number).complete(null);
			}
			else {
				answers.get(number).completeExceptionally(new IllegalStateException("unavailable"));
			}
		}
	}

	@Test
	void recordsAreKeptSomeAtATimeUntilAllAre() {
		connect(2 * RecordRefresh.AT_ONCE + 1);
		this.refresh.start();
		this.clock.advance(RecordRefresh.INTERVAL.minusNanos(1));
		assertThat(this.kept).isEmpty();
		this.clock.advance(RecordRefresh.INTERVAL);
		assertThat(this.kept).hasSize(RecordRefresh.AT_ONCE);
		answerAll();
		assertThat(this.kept).hasSize(2 * RecordRefresh.AT_ONCE);
		answerAll();
		assertThat(this.kept).containsExactlyElementsOf(this.connected);
	}

	@Test
	void eachIsKeptOnceInAnIntervalWhileThereAreSessions() {
		connect(1);
		this.refresh.start();
		this.refresh.start();
		this.clock.advance(RecordRefresh.INTERVAL);
		assertThat(this.kept).hasSize(1);
		this.clock.advance(RecordRefresh.INTERVAL);
		assertThat(this.kept).hasSize(2);
		this.connected.clear();
		this.clock.advance(RecordRefresh.INTERVAL);
		this.connected.addAll(this.kept.subList(0, 1));
		this.clock.advance(RecordRefresh.INTERVAL);
		assertThat(this.kept).hasSize(2);
	}

	@Test
	void aNodeThatStopsLeavesSomeRecordsAtATimeUntilTheBusHasAll() throws Exception {
		connect(3 * RecordRefresh.LEFT_AT_ONCE - 1);
		List<CompletableFuture<Boolean>> answers = new CopyOnWriteArrayList<>();
		CompletableFuture<Void> closed = CompletableFuture
			.runAsync(() -> this.refresh.close(this.connected, (session) -> {
				this.kept.add(session);
				CompletableFuture<Boolean> answer = new CompletableFuture<>();
				answers.add(answer);
				return answer;
			}, Duration.ofSeconds(1)));
		for (int part = 1; part <= 3; part++) {
			int kept = Math.min(part * RecordRefresh.LEFT_AT_ONCE, this.connected.size());
			Awaitility.await().until(() -> answers.size() == kept);
			assertThat(closed).isNotDone();
			answers.subList(0, kept).forEach((answer) -> answer.complete(true));
		}
		closed.get(10, TimeUnit.SECONDS);
		assertThat(this.kept).containsExactlyElementsOf(this.connected);
	}

	@Test
	void nothingIsKeptAfterTheClose() {
		connect(RecordRefresh.AT_ONCE + 1);
		this.refresh.start();
		this.clock.advance(RecordRefresh.INTERVAL);
		this.refresh.close(List.of(), (session) -> CompletableFuture.completedFuture(null), Duration.ofSeconds(1));
		answerAll();
		this.clock.advance(RecordRefresh.INTERVAL);
		assertThat(this.kept).hasSize(RecordRefresh.AT_ONCE);
	}

}
