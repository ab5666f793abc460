package dev.sluice.websocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

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

	};

	@Test
	void readingStopsAtTheHighMarkAndGoesOnAtTheLowOne() {
		InboundPressure pressure = pressure(this.reading, Duration.ZERO);
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
		InboundPressure pressure = pressure(this.reading, Duration.ZERO);
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
		TotalBuffer total = new TotalBuffer(20, TotalBuffer.Side.INBOUND, List.of());
		InboundPressure pressure = pressure(this.reading, Duration.ZERO, total);
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
		InboundPressure pressure = pressure(this.reading, Duration.ZERO);
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
		TotalBuffer total = new TotalBuffer(100, TotalBuffer.Side.INBOUND, List.of());
		InboundPressure pressure = pressure(this.reading, Duration.ZERO, total);
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
		InboundPressure pressure = pressure(this.reading, Duration.ZERO);
		add(pressure, 4, 1);
		pressure.release();
		add(pressure, 4, 1);
		assertThat(this.calls).containsExactly("suspend", "resume");
	}

	@Test
	void whereReadingCannotStopTheThreadWaitsForRoom() {
		InboundPressure pressure = pressure(null, Duration.ofSeconds(20));
		CompletableFuture<Boolean> added = new CompletableFuture<>();
		Thread thread = new Thread(() -> added.complete(add(pressure, 4, 1)));
		thread.start();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		assertThat(added).isNotDone();
		remove(pressure, 3);
		assertThat(added).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
	}

	@Test
	void whereReadingCannotStopOneThreadAtATimeWaits() {
		InboundPressure pressure = pressure(null, Duration.ofSeconds(20));
		Thread thread = new Thread(() -> add(pressure, 4, 1));
		thread.start();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> add(pressure, 1, 1));
		assertThat(second).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
		pressure.release();
	}

	@Test
	void whereReadingCannotStopAndThereIsNoTimeToWaitThenThereIsNoRoom() {
		InboundPressure pressure = pressure(null, Duration.ZERO);
		add(pressure, 3, 1);
		assertThat(add(pressure, 1, 1)).isFalse();
	}

	@Test
	void whatMayNotWaitIsNotCounted() {
		TotalBuffer total = new TotalBuffer(100, TotalBuffer.Side.INBOUND, List.of());
		InboundPressure pressure = pressure(null, Duration.ZERO, total);
		add(pressure, 3, 1);
		assertThat(add(pressure, 10, 9)).isFalse();
		assertThat(pressure.waiting()).isEqualTo(3);
		assertThat(total.isTightFor(96)).isFalse();
	}

	@Test
	void contradictoryMarksAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new InboundPressure.Marks(4, 4, 100, Duration.ZERO))
			.withMessageContaining("4, 4");
	}

	private InboundPressure pressure(SocketReading reading, Duration maxBlock) {
		return pressure(reading, maxBlock, TotalBuffers.unbounded());
	}

	private InboundPressure pressure(SocketReading reading, Duration maxBlock, TotalBuffer total) {
		return new InboundPressure(new InboundPressure.Marks(4, 1, 100, maxBlock), total, reading,
				() -> this.calls.add("look again"));
	}

	private boolean add(InboundPressure pressure, int messages, int bytes) {
		boolean added = true;
		for (int i = 0; i < messages; i++) {
			try {
				WaitingMessage message = new WaitingMessage(bytes);
				this.messages.add(message);
				added &= pressure.add(message);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return added;
	}

	private void remove(InboundPressure pressure, int messages) {
		for (int i = 0; i < messages; i++) {
			pressure.remove(this.messages.remove());
		}
	}

}
