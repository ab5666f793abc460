package dev.sluice.websocket.inbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.websocket.container.FrameGate;
import dev.sluice.websocket.container.SocketReading;
import dev.sluice.websocket.message.TotalBuffer;
import dev.sluice.websocket.message.TotalBuffers;
import dev.sluice.websocket.settings.InboundLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class InboundPressureTests {

	private final List<String> calls = new ArrayList<>();

	private final Queue<WaitingMessage> messages = new ConcurrentLinkedQueue<>();

	private final SocketReading reading = new SocketReading() {

		@Override
		public void suspend() {
			InboundPressureTests.this.calls.add("suspend");
		}

		@Override
		public void resume() {
			InboundPressureTests.this.calls.add("resume");
		}

		@Override
		public boolean connect(FrameGate gate) {
			return InboundPressureTests.this.gated;
		}

		@Override
		public boolean mayBlock() {
			return InboundPressureTests.this.mayBlock;
		}

	};

	/** Whether the container asks before it reads a frame. */
	private boolean gated;

	/** Whether the thread that delivers may block. */
	private boolean mayBlock = true;

	@Test
	void readingStopsAtTheHighMarkAndGoesOnAtTheLowOne() {
		InboundPressure pressure = pressure(this.reading, false);
		add(pressure, 3, 1);
		assertThat(this.calls).isEmpty();
		add(pressure, 2, 1);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 3);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again");
		remove(pressure, 1);
		add(pressure, 4, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again", "suspend");
	}

	@Test
	void readingStopsAtTheBytesAndGoesOnAtHalfOfThem() {
		InboundPressure pressure = pressure(this.reading, false);
		add(pressure, 1, 49);
		add(pressure, 1, 1);
		add(pressure, 1, 50);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 1);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again");
	}

	@Test
	void whenLittleIsLeftForAllSessionsThenReadingStopsUntilNothingWaits() {
		TotalBuffer<?> total = TotalBuffers.of(20);
		InboundPressure pressure = pressure(this.reading, false, total);
		add(pressure, 2, 5);
		assertThat(this.calls).isEmpty();
		total.add(1);
		add(pressure, 1, 1);
		assertThat(this.calls).containsExactly("suspend");
		total.add(100);
		remove(pressure, 2);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again");
	}

	@Test
	void messagesThatAreDiscardedGoUnhandledNowAndLater() {
		InboundPressure pressure = pressure(this.reading, false);
		add(pressure, 3, 5);
		List<CompletableFuture<?>> handling = new ArrayList<>();
		this.messages.forEach((message) -> {
			CompletableFuture<?> handled = new CompletableFuture<>();
			pressure.handedOver(message, handled);
			handling.add(handled);
		});
		handling.get(1).complete(null);
		assertThat(pressure.waiting()).isEqualTo(15);
		assertThat(pressure.discard(new IllegalStateException("expected"))).isEqualTo(2);
		assertThat(handling.get(0)).isCompletedExceptionally();
		assertThat(handling.get(2)).isCompletedExceptionally();
		assertThat(pressure.waiting()).isZero();
		CompletableFuture<?> late = new CompletableFuture<>();
		pressure.handedOver(new WaitingMessage(1), late);
		assertThat(late).isCompletedExceptionally();
	}

	@Test
	void whatIsLeftForAllComesBackWithTheMessagesAndTheEnd() {
		TotalBuffer<?> total = TotalBuffers.of(100);
		InboundPressure pressure = pressure(this.reading, false, total);
		add(pressure, 3, 10);
		pressure.incomplete(30);
		pressure.incomplete(40);
		assertThat(pressure.waiting()).isEqualTo(70);
		assertThat(total.isTightFor(31)).isTrue();
		remove(pressure, 3);
		assertThat(total.isTightFor(60)).isFalse();
		pressure.end();
		pressure.incomplete(50);
		assertThat(total.isTightFor(100)).isFalse();
	}

	@Test
	void onceReleasedReadingNeverStopsAgain() {
		InboundPressure pressure = pressure(this.reading, false);
		add(pressure, 4, 1);
		pressure.release();
		add(pressure, 4, 1);
		assertThat(this.calls).containsExactly("suspend", "resume");
	}

	@Test
	void whereReadingCannotStopTheThreadWaitsForRoom() {
		InboundPressure pressure = pressure(null, true);
		CompletableFuture<Boolean> added = new CompletableFuture<>();
		Thread thread = new Thread(() -> added.complete(deliver(pressure, 4)));
		thread.start();
		await().until(() -> thread.getState() == Thread.State.WAITING);
		assertThat(added).isNotDone();
		remove(pressure, 3);
		assertThat(added).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
	}

	@Test
	void whereReadingCannotStopOneThreadAtATimeWaits() {
		InboundPressure pressure = pressure(null, true);
		Thread thread = new Thread(() -> deliver(pressure, 4));
		thread.start();
		await().until(() -> thread.getState() == Thread.State.WAITING);
		CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> add(pressure, 1, 1));
		assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
		pressure.release();
	}

	@Test
	void whereReadingCannotStopAndThereIsNoTimeToWaitThenThereIsNoRoom() {
		InboundPressure pressure = pressure(null, false);
		add(pressure, 3, 1);
		assertThat(add(pressure, 1, 1)).isFalse();
	}

	@Test
	void whatMayNotWaitIsNotCounted() {
		TotalBuffer<?> total = TotalBuffers.of(100);
		InboundPressure pressure = pressure(null, false, total);
		add(pressure, 3, 1);
		assertThat(add(pressure, 10, 9)).isFalse();
		assertThat(pressure.waiting()).isEqualTo(3);
		assertThat(total.isTightFor(96)).isFalse();
	}

	@Test
	void whereNothingCanPassTheNextFrameWaitsForTheMessageBeforeIt() {
		this.gated = true;
		InboundPressure gated = inStep(this.reading, true);
		assertThat(gated.holdsBack()).isFalse();
		add(gated, 1, 1);
		assertThat(this.calls).isEmpty();
		assertThat(gated.holdsBack()).isTrue();
		assertThat(gated.isSuspended()).isTrue();
		assertThat(this.calls).containsExactly("suspend");
		remove(gated, 1);
		assertThat(gated.holdsBack()).isFalse();
		assertThat(this.calls).containsExactly("suspend", "resume");
		assertThat(gated.isSuspended()).isFalse();
	}

	@Test
	void whereNothingCanPassAndTheContainerDoesNotAskReadingStopsAtEachMessage() {
		InboundPressure pressure = inStep(this.reading, true);
		add(pressure, 1, 1);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again");
	}

	@Test
	void whereNothingCanPassAndReadingCannotStopTheThreadWaitsForItsMessage() {
		InboundPressure pressure = inStep(null, true);
		CompletableFuture<Boolean> added = new CompletableFuture<>();
		Thread thread = new Thread(() -> added.complete(deliver(pressure, 1)));
		thread.start();
		await().until(() -> thread.getState() == Thread.State.WAITING);
		assertThat(pressure.isSuspended()).isTrue();
		remove(pressure, 1);
		assertThat(added).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(pressure.isSuspended()).isFalse();
	}

	@Test
	void whileTheTurnWaitsForAStageMessagesAreReadAhead() {
		this.gated = true;
		InboundPressure pressure = inStep(this.reading, true);
		add(pressure, 1, 1);
		assertThat(pressure.holdsBack()).isTrue();
		CompletableFuture<?> stage = new CompletableFuture<>();
		pressure.parked(stage);
		assertThat(this.calls).containsExactly("suspend", "resume");
		assertThat(pressure.holdsBack()).isFalse();
		stage.complete(null);
		assertThat(pressure.holdsBack()).isTrue();
	}

	@Test
	void nothingIsReadBeforeTheSessionIsOpenThoughMessagesMayPass() {
		this.gated = true;
		InboundPressure pressure = pressure(this.reading, false);
		CompletableFuture<?> opened = new CompletableFuture<>();
		pressure.opening(opened);
		assertThat(pressure.holdsBack()).isTrue();
		opened.complete(null);
		assertThat(this.calls).containsExactly("suspend", "resume");
		add(pressure, 1, 1);
		assertThat(pressure.holdsBack()).isFalse();
	}

	@Test
	void whereReadingCannotStopTheThreadThatOpensASessionWaits() {
		InboundPressure pressure = pressure(null, true);
		CompletableFuture<?> opened = new CompletableFuture<>();
		pressure.opening(opened);
		CompletableFuture<Void> thread = CompletableFuture.runAsync(pressure::awaitRelief);
		await().until(pressure::isSuspended);
		assertThat(thread).isNotDone();
		opened.complete(null);
		assertThat(thread).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void whereThereIsNoWaySessionsAreReadAhead() {
		InboundPressure pressure = inStep(null, false);
		assertThat(add(pressure, 3, 1)).isTrue();
		assertThat(add(pressure, 1, 1)).isFalse();
	}

	@Test
	void aThreadThatDeliversMuchAfterReadingHasStoppedWaits() {
		InboundPressure pressure = pressure(this.reading, true);
		add(pressure, 4, 1);
		CompletableFuture<Boolean> added = CompletableFuture.supplyAsync(() -> deliver(pressure, 1));
		await().until(() -> pressure.waiting() == 5);
		assertThat(added).isNotDone();
		remove(pressure, 4);
		assertThat(added).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
	}

	@Test
	void theThreadThatDeliversIsIdleWhereItDeliversNothingElseMeanwhile() {
		assertThat(inStep(null, true).leavesReaderIdle()).isFalse();
		assertThat(inStep(this.reading, true).leavesReaderIdle()).isFalse();
		this.gated = true;
		assertThat(inStep(this.reading, true).leavesReaderIdle()).isTrue();
		assertThat(pressure(this.reading, true).leavesReaderIdle()).isFalse();
		this.mayBlock = false;
		assertThat(inStep(this.reading, true).leavesReaderIdle()).isFalse();
	}

	@Test
	void whileAThreadHandlesWhatItDeliversNothingIsRead() {
		this.gated = true;
		InboundPressure pressure = inStep(this.reading, true);
		pressure.setHandler(true);
		add(pressure, 1, 1);
		assertThat(pressure.isSuspended()).isTrue();
		assertThat(pressure.isHandler()).isTrue();
		remove(pressure, 1);
		pressure.setHandler(false);
		assertThat(pressure.isSuspended()).isFalse();
		assertThat(pressure.isHandler()).isFalse();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void contradictoryMarksAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new InboundLimits(4, 4, 100, true))
			.withMessageContaining("4, 4");
	}

	private InboundPressure inStep(SocketReading reading, boolean blocking) {
		return new InboundPressure(new InboundLimits(4, 1, 100, blocking), false, TotalBuffers.unbounded(), reading,
				() -> this.calls.add("look again"));
	}

	private InboundPressure pressure(SocketReading reading, boolean blocking) {
		return pressure(reading, blocking, TotalBuffers.unbounded());
	}

	private InboundPressure pressure(SocketReading reading, boolean blocking, TotalBuffer<?> total) {
		return new InboundPressure(new InboundLimits(4, 1, 100, blocking), true, total, reading,
				() -> this.calls.add("look again"));
	}

	private boolean add(InboundPressure pressure, int messages, int bytes) {
		boolean added = true;
		for (int i = 0; i < messages; i++) {
			WaitingMessage message = new WaitingMessage(bytes);
			this.messages.add(message);
			added &= pressure.add(message);
		}
		return added;
	}

	private boolean deliver(InboundPressure pressure, int messages) {
		boolean added = add(pressure, messages, 1);
		pressure.awaitRelief();
		return added;
	}

	private void remove(InboundPressure pressure, int messages) {
		for (int i = 0; i < messages; i++) {
			pressure.remove(this.messages.remove());
		}
	}

}
