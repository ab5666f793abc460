package dev.sluice.websocket;

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

	private static final Runnable NOTHING = () -> {
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
	void closingWaitsForWhatIsQueuedAndRefusesTheRest() {
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
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session"), this.workers,
				SessionLimits.DEFAULTS.withSendBufferSizeLimit(10), NOTHING, null);
		send(outbound, "in flight");
		CompletableFuture<?> large = send(outbound, "larger than the limit");
		assertThat(large).isNotDone();
		CompletableFuture<?> refused = send(outbound, "x");
		assertThat(refused).failsWithin(AWAIT)
			.withThrowableThat()
			.withCauseInstanceOf(SessionLimitExceededException.class);
		await().until(() -> this.session.sent.contains(CloseStatus.SESSION_NOT_RELIABLE));
	}

	@Test
	void bytesOfMessagesThatWereSentAreForgotten() {
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session"), this.workers,
				SessionLimits.DEFAULTS.withSendBufferSizeLimit(10), NOTHING, null);
		this.session.permits.release(100);
		for (int i = 0; i < 100; i++) {
			assertThat(send(outbound, "12345678")).succeedsWithin(AWAIT);
		}
		this.session.permits.drainPermits();
		send(outbound, "in flight");
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
			SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session-" + i),
					this.workers, SessionLimits.DEFAULTS, NOTHING, null);
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

	private SessionOutbound outbound(Executor workers) {
		return new SessionOutbound(this.session, this.executor.queue("session"), workers, SessionLimits.DEFAULTS,
				NOTHING, null);
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
