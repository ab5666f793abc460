package dev.sluice.websocket.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.container.SocketReading;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.inbound.WaitingMessage;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.TotalBuffers;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.LivenessLimits;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SessionLivenessTests {

	private static final SessionPlace NO_PLACE = new SessionPlace(
			new SessionPlace.Holding(List.of(), SessionAdmission.SharedPlaces.NOTHING), false);

	private static final SessionKind KIND = new SessionKind("handler", true, FullBuffer.WAIT);

	private static final LivenessLimits TIMES = new LivenessLimits(null, Duration.ofSeconds(30), Duration.ofSeconds(20),
			Duration.ofSeconds(5), null);

	private final SettableClock clock = new SettableClock();

	private final ExecutorService workers = Executors.newCachedThreadPool();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher.Builder builder = WebSocketDispatcher
		.builder(this.executor, this.executor, this.workers)
		.control(this.workers)
		.clock(this.clock)
		.settings(TestSettings.of(TestSettings.limits(new SendLimits(Duration.ofSeconds(5), 512 * 1024)),
				TestSettings.heartbeat(Duration.ofSeconds(20), Duration.ofSeconds(5))));

	private final StallingSession connection = new StallingSession();

	@AfterEach
	void stop() {
		this.connection.permits.release(1_000);
		this.workers.shutdownNow();
	}

	@Test
	void aSilentClientIsPingedAndLivesIfItAnswers() {
		OrderedWebSocketSession session = open();
		this.connection.permits.release(1_000);
		for (int i = 1; i <= 3; i++) {
			int pings = i;
			advance(Duration.ofSeconds(21));
			awaitWhileTimeGoesOn(() -> this.connection.sent.size() == pings && !session.outbound().isSending());
			session.liveness().received(new PongMessage());
		}
		assertThat(session.isOpen()).isTrue();
	}

	@Test
	void aClientThatDoesNotAnswerAPingIsCutOff() {
		OrderedWebSocketSession session = open();
		this.connection.permits.release(1_000);
		advance(Duration.ofSeconds(21));
		await().until(() -> this.connection.sent.size() == 1 && !session.outbound().isSending());
		advance(Duration.ofSeconds(4));
		assertThat(session.isOpen()).isTrue();
		advance(Duration.ofSeconds(2));
		awaitWhileTimeGoesOn(() -> this.connection.sent
			.contains(CloseStatus.SESSION_NOT_RELIABLE.withReason("Ping was not answered")));
	}

	@Test
	void whereThereAreNoPingsASilentClientStays() {
		OrderedWebSocketSession session = openWithoutHeartbeat();
		this.connection.permits.release(1_000);
		advance(Duration.ofMinutes(10));
		assertThat(session.isOpen()).isTrue();
		assertThat(this.connection.sent).isEmpty();
	}

	@Test
	void aClientThatSendsIsNotPinged() {
		OrderedWebSocketSession session = open();
		this.connection.permits.release(1_000);
		for (int i = 0; i < 10; i++) {
			advance(Duration.ofSeconds(15));
			session.liveness().received(new TextMessage("hello"));
		}
		assertThat(this.connection.sent).isEmpty();
	}

	@Test
	void aClientWhoseMessagesAreNotReadAtPresentIsNotPinged() throws InterruptedException {
		OrderedWebSocketSession session = WebSocketDispatcher.builder(this.executor, this.executor, Runnable::run)
			.control(Runnable::run)
			.clock(this.clock)
			.settings(TestSettings.of(TestSettings.heartbeat(Duration.ZERO, Duration.ofSeconds(1))))
			.build()
			.context()
			.sessions()
			.open(this.connection, KIND, NO_PLACE);
		assertThat(session).isNotNull();
		this.connection.permits.release(1_000);
		InboundPressure pressure = new InboundPressure(new InboundLimits(1, 0, 1024, false), true,
				TotalBuffers.unbounded(), new NoReading(), () -> {
				});
		SessionLiveness liveness = new SessionLiveness(session.outbound(), pressure, this.clock, true, null,
				Runnable::run);
		WaitingMessage message = new WaitingMessage(1);
		pressure.add(message);
		this.clock.advance(Duration.ofSeconds(30));
		liveness.check(this.clock.nanoTime(), TIMES);
		assertThat(this.connection.sent).isEmpty();
		pressure.remove(message);
		liveness.check(this.clock.nanoTime(), TIMES);
		assertThat(this.connection.sent).hasSize(1);
	}

	@Test
	void aClientToWhichAMessageIsOnItsWayIsNotPinged() {
		this.builder.settings(TestSettings.of(TestSettings.limits(new SendLimits(Duration.ofMinutes(10), 512 * 1024)),
				TestSettings.heartbeat(Duration.ZERO, Duration.ofSeconds(1))));
		OrderedWebSocketSession session = open();
		SessionLiveness liveness = new SessionLiveness(session.outbound(), session.pressure(), this.clock, true, null,
				Runnable::run);
		session.outbound().send(new TextMessage("on its way"), Level.NORMAL);
		await().until(session.outbound()::isSending);
		this.clock.advance(Duration.ofSeconds(30));
		liveness.check(this.clock.nanoTime(), TIMES);
		this.connection.permits.release(1_000);
		assertThat(session.outbound().send(new TextMessage("next"), Level.NORMAL))
			.succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.connection.sent).containsExactly("on its way", "next");
	}

	@Test
	void aClientThatTakesNothingWhileTooMuchWaitsIsCutOffBeforeTheSendTimeIsOver() throws IOException {
		this.builder.settings(TestSettings.of(TestSettings.heartbeat(Duration.ZERO, Duration.ofSeconds(1))));
		SendLimits limits = new SendLimits(Duration.ofMinutes(1), 2 * MessageCost.SENT);
		SessionKind kind = new SessionKind("stomp", true, FullBuffer.EXCEED, () -> limits);
		OrderedWebSocketSession session = this.builder.build()
			.context()
			.sessions()
			.open(this.connection, kind, NO_PLACE);
		assertThat(session).isNotNull();
		session.sendMessage(new TextMessage("on its way"));
		await().until(session.outbound()::isSending);
		advance(Duration.ofSeconds(10));
		session.sendMessage(new TextMessage("within the limit"));
		advance(Duration.ofSeconds(10));
		assertThat(session.isOpen()).isTrue();
		session.sendMessage(new TextMessage("beyond the limit"));
		advance(Duration.ofSeconds(3));
		await().until(() -> !session.isOpen());
	}

	@Test
	void aClientThatTakesAnythingMayHaveMoreWaitingThanItsLimit() throws IOException {
		this.builder.settings(TestSettings.of(TestSettings.heartbeat(Duration.ZERO, Duration.ofSeconds(1))));
		SendLimits limits = new SendLimits(Duration.ofMinutes(1), MessageCost.SENT);
		SessionKind kind = new SessionKind("stomp", true, FullBuffer.EXCEED, () -> limits);
		OrderedWebSocketSession session = this.builder.build()
			.context()
			.sessions()
			.open(this.connection, kind, NO_PLACE);
		assertThat(session).isNotNull();
		for (int i = 0; i < 10; i++) {
			session.sendMessage(new TextMessage("message"));
		}
		for (int i = 1; i < 8; i++) {
			int sent = i;
			await().until(session.outbound()::isSending);
			advance(Duration.ofMillis(1_500));
			this.connection.permits.release();
			await().until(() -> this.connection.sent.size() == sent);
		}
		assertThat(session.isOpen()).isTrue();
	}

	@Test
	void aSessionThatCannotBeEndedIsEndedAtTheNextLookAndKeepsNoOtherFromBeingEnded() {
		AtomicInteger handOvers = new AtomicInteger();
		StubSession failing = new StubSession("failing");
		StubSession other = new StubSession("other");
		WebSocketDispatcher dispatcher = this.builder.control((task) -> {
			if (handOvers.getAndIncrement() == 0) {
				throw new IllegalStateException("expected");
			}
			task.run();
		})
			.settings(TestSettings.of(new LivenessLimits(null, Duration.ofSeconds(30), Duration.ZERO,
					Duration.ofSeconds(1), Duration.ofSeconds(1))))
			.build();
		dispatcher.context().sessions().open(failing, KIND, NO_PLACE);
		dispatcher.context().sessions().open(other, KIND, NO_PLACE);
		advance(Duration.ofSeconds(2));
		assertThat(failing.sent).containsExactly(CloseStatus.GOING_AWAY.withReason("Idle"));
		assertThat(other.sent).containsExactly(CloseStatus.GOING_AWAY.withReason("Idle"));
	}

	@Test
	void whatASessionDoesNeverKeepsTheTimerWaiting() {
		List<Runnable> handedOver = new ArrayList<>();
		WebSocketDispatcher dispatcher = this.builder.control(handedOver::add)
			.settings(TestSettings.of(TestSettings.idle(Duration.ofSeconds(1))))
			.build();
		dispatcher.context().sessions().open(this.connection, KIND, NO_PLACE);
		advance(Duration.ofSeconds(5));
		assertThat(handedOver).hasSize(1);
		assertThat(this.connection.sent).isEmpty();
	}

	@Test
	void whenAMessageTakesTooLongToBeSentThenTheSessionEnds() {
		OrderedWebSocketSession session = open();
		CompletableFuture<?> stalled = session.outbound().send(new TextMessage("stalled"), Level.NORMAL);
		CompletableFuture<?> waiting = session.outbound().send(new TextMessage("waiting"), Level.NORMAL);
		await().until(session.outbound()::isSending);
		advance(Duration.ofSeconds(4));
		assertThat(session.isOpen()).isTrue();
		advance(Duration.ofSeconds(2));
		await().until(() -> !session.isOpen());
		await().until(() -> this.connection.sent.contains(CloseStatuses.TOO_SLOW));
		this.connection.permits.release(1_000);
		assertThat(stalled).succeedsWithin(Duration.ofSeconds(10));
		assertThat(waiting).failsWithin(Duration.ofSeconds(10)).withThrowableThat().withStackTraceContaining("PT5S");
	}

	@Test
	void whenAMessageIsNotCompleteInTimeThenTheSessionEnds() {
		OrderedWebSocketSession session = openWithoutHeartbeat();
		session.assemble(new TextMessage("first part", false));
		advance(Duration.ofSeconds(20));
		session.assemble(new TextMessage("second part", false));
		advance(Duration.ofSeconds(9));
		assertThat(session.isOpen()).isTrue();
		advance(Duration.ofSeconds(2));
		await().until(
				() -> this.connection.sent.contains(CloseStatus.POLICY_VIOLATION.withReason("Message is incomplete")));
	}

	@Test
	void aMessageHasItsWholeTimeHoweverLateItBegins() {
		OrderedWebSocketSession session = openWithoutHeartbeat();
		for (int i = 0; i < 3; i++) {
			session.assemble(new TextMessage("first part", false));
			advance(Duration.ofSeconds(20));
			session.assemble(new TextMessage("last part"));
			advance(Duration.ofSeconds(20));
		}
		assertThat(session.isOpen()).isTrue();
	}

	@Test
	void aMessageIsNotLateWhileItsPartsAreNotRead() throws InterruptedException {
		OrderedWebSocketSession session = openWithoutHeartbeat();
		InboundPressure pressure = new InboundPressure(new InboundLimits(1, 0, 1024, false), true,
				TotalBuffers.unbounded(), new NoReading(), () -> {
				});
		SessionLiveness liveness = new SessionLiveness(session.outbound(), pressure, this.clock, true, null,
				Runnable::run);
		WaitingMessage message = new WaitingMessage(1);
		pressure.add(message);
		liveness.assembling(true);
		this.clock.advance(Duration.ofMinutes(10));
		liveness.check(this.clock.nanoTime(), TIMES);
		pressure.remove(message);
		this.clock.advance(Duration.ofSeconds(29));
		liveness.check(this.clock.nanoTime(), TIMES);
		assertThat(session.isOpen()).isTrue();
		this.clock.advance(Duration.ofSeconds(2));
		liveness.check(this.clock.nanoTime(), TIMES);
		assertThat(session.isOpen()).isFalse();
	}

	@Test
	void anIdleSessionIsClosed() {
		this.builder.settings(TestSettings.of(new LivenessLimits(null, Duration.ofSeconds(30), Duration.ZERO,
				Duration.ofSeconds(1), Duration.ofSeconds(60))));
		OrderedWebSocketSession session = open();
		this.connection.permits.release(1_000);
		advance(Duration.ofSeconds(50));
		assertThat(session.outbound().send(new TextMessage("news"), Level.NORMAL))
			.succeedsWithin(Duration.ofSeconds(20));
		advance(Duration.ofSeconds(50));
		session.liveness().received(new TextMessage("thanks"));
		advance(Duration.ofSeconds(50));
		session.liveness().received(new PongMessage());
		assertThat(session.isOpen()).isTrue();
		advance(Duration.ofSeconds(11));
		await().until(() -> this.connection.sent.contains(CloseStatus.GOING_AWAY.withReason("Idle")));
	}

	@Test
	void withoutSessionsNobodyLooks() {
		WebSocketDispatcher dispatcher = this.builder.build();
		OrderedWebSocketSession session = dispatcher.context().sessions().open(this.connection, KIND, NO_PLACE);
		assertThat(session).isNotNull();
		dispatcher.context().sessions().forget(session);
		session.end(() -> {
		});
		advance(Duration.ofMinutes(1));
		assertThat(this.connection.sent).isEmpty();
		assertThat(dispatcher.context().sessions().open(this.connection, KIND, NO_PLACE)).isNotNull();
		this.connection.permits.release(1);
		advance(Duration.ofSeconds(21));
		await().until(() -> this.connection.sent.size() == 1);
	}

	private OrderedWebSocketSession open() {
		OrderedWebSocketSession session = this.builder.build()
			.context()
			.sessions()
			.open(this.connection, KIND, NO_PLACE);
		assertThat(session).isNotNull();
		return session;
	}

	private OrderedWebSocketSession openWithoutHeartbeat() {
		this.builder.settings(TestSettings.of(TestSettings.heartbeat(Duration.ZERO, Duration.ofSeconds(1))));
		return open();
	}

	/** Whoever notes that a ping is out may be later than the ping, by the clock too. */
	private void awaitWhileTimeGoesOn(Callable<Boolean> condition) {
		await().until(() -> {
			this.clock.advance(Duration.ofMillis(100));
			return condition.call();
		});
	}

	/** In small steps, so that each look sees little time pass. */
	private void advance(Duration time) {
		for (long i = 0; i < time.toMillis(); i += 100) {
			this.clock.advance(Duration.ofMillis(100));
		}
	}

	/** A socket that is not read while it need not be. */
	private static final class NoReading implements SocketReading {

		@Override
		public void suspend() {
		}

		@Override
		public void resume() {
		}

	}

	/** Sends nothing without a permit. */
	private static final class StallingSession extends StubSession {

		private final Semaphore permits = new Semaphore(0);

		StallingSession() {
			super("session");
		}

		@Override
		public void sendMessage(WebSocketMessage<?> message) {
			this.permits.acquireUninterruptibly();
			this.sent.add(message.getPayload());
		}

		@Override
		public InetSocketAddress getRemoteAddress() {
			return InetSocketAddress.createUnresolved("localhost", 1);
		}

	}

}
