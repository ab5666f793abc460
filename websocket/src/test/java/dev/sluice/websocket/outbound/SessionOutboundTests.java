package dev.sluice.websocket.outbound;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.container.ClientReading;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SessionOutboundTests {

	private static final Duration AWAIT = Duration.ofSeconds(10);

	private static final NanoClock CLOCK = NanoClock.system();

	private static final ClientReading NOTHING = () -> {
	};

	private final ExecutorService workers = Executors.newCachedThreadPool();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final GatedSession session = new GatedSession();

	@AfterEach
	void stop() {
		this.session.permits.release(1_000);
		this.workers.shutdownNow();
	}

	@Test
	void eachSendIsToldItsOwnOutcomeAndNoneIsStranded() {
		SessionOutbound outbound = outbound(this.workers);
		CompletableFuture<?> first = send(outbound, "A");
		CompletableFuture<?> second = send(outbound, "fail B");
		CompletableFuture<?> third = send(outbound, "C");
		this.session.permits.release(3);
		assertThat(first).succeedsWithin(AWAIT);
		assertThat(second).failsWithin(AWAIT)
			.withThrowableThat()
			.withCauseInstanceOf(IOException.class)
			.withMessageContaining("fail B");
		assertThat(third).succeedsWithin(AWAIT);
		assertThat(this.session.sent).containsExactly("A", "C");
	}

	@Test
	void aHighMessageGoesBeforeTheNormalOnesThatWait() {
		SessionOutbound outbound = outbound(this.workers);
		send(outbound, "first");
		send(outbound, "normal");
		CompletableFuture<?> last = send(outbound, "normal again");
		outbound.send(new TextMessage("high"), Level.HIGH);
		this.session.permits.release(4);
		assertThat(last).succeedsWithin(AWAIT);
		assertThat(this.session.sent).containsExactly("first", "high", "normal", "normal again");
	}

	@Test
	void closingWaitsForWhatIsQueuedAndRejectsTheRest() {
		SessionOutbound outbound = outbound(this.workers);
		CompletableFuture<?> queued = send(outbound, "queued");
		CompletableFuture<?> closed = outbound.close(CloseStatus.NORMAL, Level.NORMAL);
		outbound.close(CloseStatus.SERVER_ERROR, Level.NORMAL);
		assertThat(outbound.isOpen()).isFalse();
		assertThat(send(outbound, "late")).isCompletedExceptionally();
		assertThat(this.session.sent).isEmpty();
		this.session.permits.release();
		assertThat(queued).succeedsWithin(AWAIT);
		await().until(() -> this.session.sent.contains(CloseStatus.NORMAL));
		assertThat(closed).isNotDone();
		outbound.closed();
		assertThat(closed).isDone();
		assertThat(this.session.sent).containsExactly("queued", CloseStatus.NORMAL);
	}

	@Test
	void terminatingDoesNotWaitAndFailsWhatIsQueued() {
		SessionOutbound outbound = outbound(this.workers);
		send(outbound, "stalled");
		CompletableFuture<?> queued = send(outbound, "queued");
		outbound.terminate(CloseStatus.SESSION_NOT_RELIABLE, new IllegalStateException("expected"));
		await().until(() -> this.session.sent.contains(CloseStatus.SESSION_NOT_RELIABLE));
		this.session.permits.release();
		assertThat(queued).failsWithin(AWAIT).withThrowableThat().withStackTraceContaining("expected");
	}

	@Test
	void whenTooManyBytesWaitThenTheSessionIsTerminated() {
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session"), "handler",
				new SendLimits(Duration.ofSeconds(10), 10), NOTHING, TestOutbound.resources(this.workers, CLOCK));
		send(outbound, "in flight");
		CompletableFuture<?> large = send(outbound, "larger than the limit");
		assertThat(large).isNotDone();
		CompletableFuture<?> rejected = send(outbound, "x");
		assertThat(rejected).failsWithin(AWAIT)
			.withThrowableThat()
			.withCauseInstanceOf(SessionLimitExceededException.class);
		await().until(() -> this.session.sent.contains(CloseStatuses.TOO_MUCH_UNSENT));
	}

	@Test
	void emptyMessagesAreCountedToo() {
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session"), "handler",
				new SendLimits(Duration.ofSeconds(10), 10 * MessageCost.SENT), NOTHING,
				TestOutbound.resources(this.workers, CLOCK));
		send(outbound, "in flight");
		for (int i = 0; i < 10; i++) {
			assertThat(send(outbound, "")).isNotDone();
		}
		assertThat(send(outbound, "")).isCompletedExceptionally();
		assertThat(outbound.isOpen()).isFalse();
	}

	@Test
	void whereTheOldestIsDroppedItsSenderIsToldAndTheSessionLives() {
		SessionOutbound outbound = dropping(3);
		send(outbound, "in flight");
		CompletableFuture<?> oldest = send(outbound, "123456");
		CompletableFuture<?> urgent = outbound.send(new TextMessage("!"), Level.HIGH);
		CompletableFuture<?> newer = send(outbound, "789");
		CompletableFuture<?> newest = send(outbound, "abcdef");
		assertThat(oldest).failsWithin(AWAIT).withThrowableThat().withCauseInstanceOf(TaskDroppedException.class);
		this.session.permits.release(4);
		for (CompletableFuture<?> sent : List.of(urgent, newer, newest)) {
			assertThat(sent).succeedsWithin(AWAIT);
		}
		assertThat(this.session.sent).containsExactly("in flight", "!", "789", "abcdef");
		assertThat(outbound.isOpen()).isTrue();
		assertThat(this.executor.snapshot(0).dropped()).isEqualTo(1);
		assertThat(this.executor.snapshot(0).cancelled()).isZero();
	}

	@Test
	void whereTheOldestIsDroppedAnUrgentMessageGivesWayToAnUrgentOneOnly() {
		SessionOutbound outbound = dropping(1);
		send(outbound, "in flight");
		CompletableFuture<?> urgent = outbound.send(new TextMessage("12345678"), Level.HIGH);
		assertThat(send(outbound, "normal")).failsWithin(AWAIT)
			.withThrowableThat()
			.withCauseInstanceOf(TaskDroppedException.class);
		assertThat(urgent).isNotDone();
		assertThat(this.executor.snapshot(0).dropped()).isEqualTo(1);
		CompletableFuture<?> moreUrgent = outbound.send(new TextMessage("87654321"), Level.HIGH);
		assertThat(urgent).failsWithin(AWAIT).withThrowableThat().withCauseInstanceOf(TaskDroppedException.class);
		this.session.permits.release(2);
		assertThat(moreUrgent).succeedsWithin(AWAIT);
		assertThat(this.executor.snapshot(0).dropped()).isEqualTo(2);
	}

	@Test
	void nothingComesBetweenThePartsOfAMessage() {
		SessionOutbound outbound = outbound(this.workers);
		this.session.permits.release(10);
		assertThat(outbound.send(new TextMessage("part 1", false), Level.NORMAL)).succeedsWithin(AWAIT);
		CompletableFuture<?> high = outbound.send(new TextMessage("high"), Level.HIGH);
		CompletableFuture<?> ping = outbound.ping();
		assertThat(outbound.send(new TextMessage("part 2", false), Level.NORMAL)).succeedsWithin(AWAIT);
		assertThat(high).isNotDone();
		CompletableFuture<?> last = send(outbound, "part 3");
		CompletableFuture<?> next = send(outbound, "next");
		for (CompletableFuture<?> sent : List.of(last, high, ping, next)) {
			assertThat(sent).succeedsWithin(AWAIT);
		}
		assertThat(this.session.sent).startsWith("part 1", "part 2", "part 3", "high").endsWith("next").hasSize(6);
	}

	@Test
	void closingDoesNotWaitForALastPartThatCannotComeAnyMore() {
		SessionOutbound outbound = outbound(this.workers);
		this.session.permits.release(10);
		assertThat(outbound.send(new TextMessage("part 1", false), Level.NORMAL)).succeedsWithin(AWAIT);
		outbound.close(CloseStatus.NORMAL, Level.NORMAL);
		await().until(() -> this.session.sent.contains(CloseStatus.NORMAL));
		assertThat(send(outbound, "part 2")).failsWithin(AWAIT);
	}

	@Test
	void whenAPartFailsThenTheOthersDoAndTheQueueGoesOn() {
		SessionOutbound outbound = outbound(this.workers);
		CompletableFuture<?> first = outbound.send(new TextMessage("fail", false), Level.NORMAL);
		CompletableFuture<?> last = send(outbound, "part 2");
		CompletableFuture<?> next = send(outbound, "next");
		this.session.permits.release(10);
		assertThat(first).failsWithin(AWAIT);
		assertThat(last).failsWithin(AWAIT);
		assertThat(next).succeedsWithin(AWAIT);
	}

	@Test
	void bytesOfMessagesThatWereSentAreForgotten() {
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session"), "handler",
				new SendLimits(Duration.ofSeconds(10), 10), NOTHING, TestOutbound.resources(this.workers, CLOCK));
		this.session.permits.release(100);
		for (int i = 0; i < 100; i++) {
			assertThat(send(outbound, "12345678")).succeedsWithin(AWAIT);
		}
		this.session.permits.drainPermits();
		send(outbound, "in flight");
		await().until(this.session::isSending);
		assertThat(send(outbound, "12345678").cancel(false)).isTrue();
		assertThat(send(outbound, "12345678")).isNotDone();
	}

	@Test
	void whenTextHasNoEncodingThenOnlyItsOwnSendFails() {
		SessionOutbound outbound = outbound(this.workers);
		this.session.permits.release(1);
		CompletableFuture<?> malformed = send(outbound, "\ud83d");
		assertThat(malformed).failsWithin(AWAIT).withThrowableThat().withMessageContaining("surrogate");
		assertThat(send(outbound, "next")).succeedsWithin(AWAIT);
	}

	@Test
	void whenThereIsNoWorkerThenASendFailsAndClosingStillHappens() {
		SessionOutbound outbound = outbound((task) -> {
			throw new RejectedExecutionException("expected");
		});
		assertThat(send(outbound, "message")).failsWithin(AWAIT).withThrowableThat().withMessageContaining("expected");
		outbound.close(CloseStatus.NORMAL, Level.NORMAL);
		assertThat(this.session.sent).containsExactly(CloseStatus.NORMAL);
	}

	@Test
	void aSessionThatTheServerClosesEndsWithItsStatusThoughTheClientRepeatsTheCodeAlone() {
		SessionOutbound outbound = outbound(this.workers);
		CloseStatus closing = CloseStatus.POLICY_VIOLATION.withReason("Closing time");
		assertThat(outbound.ended(CloseStatus.POLICY_VIOLATION)).isEqualTo(CloseStatus.POLICY_VIOLATION);
		outbound.close(closing, Level.NORMAL);
		await().until(() -> this.session.sent.contains(closing));
		assertThat(outbound.ended(CloseStatus.POLICY_VIOLATION)).isEqualTo(closing);
		assertThat(outbound.ended(new CloseStatus(closing.getCode(), ""))).isEqualTo(closing);
		for (CloseStatus ofTheClient : List.of(CloseStatus.NORMAL, CloseStatus.POLICY_VIOLATION.withReason("Bye"))) {
			assertThat(outbound.ended(ofTheClient)).isEqualTo(ofTheClient);
		}
	}

	@Test
	void aSendThatTheContainerForgetsEndsWithItsConnection() {
		SessionOutbound outbound = outbound((task) -> {
		});
		CompletableFuture<?> forgotten = send(outbound, "forgotten");
		outbound.closed();
		assertThat(forgotten).failsWithin(AWAIT).withThrowableThat().withCauseInstanceOf(SessionClosedException.class);
		await().untilAsserted(() -> assertThat(this.executor.snapshot(0).queues()).isZero());
	}

	@Test
	void sendsThatRaceWithTheEndLeaveNoQueueBehind() throws InterruptedException {
		this.session.permits.release(1_000_000);
		for (int i = 0; i < 500; i++) {
			SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session-" + i), "handler",
					SessionLimits.DEFAULTS.send(), NOTHING, TestOutbound.resources(this.workers, CLOCK));
			List<Thread> threads = new ArrayList<>();
			for (Runnable race : List.<Runnable>of(() -> send(outbound, "message"), outbound::closed)) {
				threads.add(new Thread(race));
			}
			threads.forEach(Thread::start);
			for (Thread thread : threads) {
				thread.join();
			}
		}
		await().untilAsserted(() -> assertThat(this.executor.snapshot(0).queues()).isZero());
	}

	/** With room for so many messages, of ten bytes in all. */
	private SessionOutbound dropping(int messages) {
		return new SessionOutbound(this.session, this.executor.queue("session"), "handler",
				new SendLimits(Duration.ofSeconds(10), 10 + messages * MessageCost.SENT), NOTHING,
				TestOutbound.resources(this.workers, CLOCK, SendOverflow.DROP_OLDEST, null));
	}

	private SessionOutbound outbound(Executor workers) {
		return new SessionOutbound(this.session, this.executor.queue("session"), "handler",
				SessionLimits.DEFAULTS.send(), NOTHING, TestOutbound.resources(workers, CLOCK));
	}

	private static CompletableFuture<?> send(SessionOutbound outbound, String text) {
		return outbound.send(new TextMessage(text), Level.NORMAL);
	}

	/** Sends nothing without a permit. */
	static class GatedSession extends StubSession {

		private final Semaphore permits = new Semaphore(0);

		GatedSession() {
			super("session");
		}

		void release(int sends) {
			this.permits.release(sends);
		}

		boolean isSending() {
			return this.permits.hasQueuedThreads();
		}

		@Override
		public void sendMessage(WebSocketMessage<?> message) throws IOException {
			this.permits.acquireUninterruptibly();
			if (message.getPayload().toString().startsWith("fail")) {
				throw new IOException(message.getPayload().toString());
			}
			super.sendMessage(message);
		}

	}

}
