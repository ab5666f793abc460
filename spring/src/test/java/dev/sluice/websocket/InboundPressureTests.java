package dev.sluice.websocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class InboundPressureTests {

	private final List<String> calls = new ArrayList<>();

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
		remove(pressure, 3, 1);
		assertThat(this.calls).containsExactly("suspend");
		remove(pressure, 1, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again");
		remove(pressure, 1, 1);
		add(pressure, 4, 1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again", "suspend");
	}

	@Test
	void readingStopsAtTheBytesAndGoesOnAtHalfOfThem() {
		InboundPressure pressure = pressure(this.reading, Duration.ZERO);
		add(pressure, 2, 50);
		assertThat(this.calls).containsExactly("suspend");
		pressure.remove(49);
		assertThat(this.calls).containsExactly("suspend");
		pressure.remove(1);
		assertThat(this.calls).containsExactly("suspend", "resume", "look again");
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
		remove(pressure, 3, 1);
		assertThat(added).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
	}

	@Test
	void whereReadingCannotStopAndThereIsNoTimeToWaitThenThereIsNoRoom() {
		InboundPressure pressure = pressure(null, Duration.ZERO);
		add(pressure, 3, 1);
		assertThat(add(pressure, 1, 1)).isFalse();
	}

	@Test
	void contradictoryMarksAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new InboundPressure.Marks(4, 4, 100, Duration.ZERO))
			.withMessageContaining("4, 4");
	}

	private InboundPressure pressure(SocketReading reading, Duration maxBlock) {
		return new InboundPressure(new InboundPressure.Marks(4, 1, 100, maxBlock), reading,
				() -> this.calls.add("look again"));
	}

	private static boolean add(InboundPressure pressure, int messages, int bytes) {
		boolean added = true;
		for (int i = 0; i < messages; i++) {
			try {
				added &= pressure.add(bytes);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return added;
	}

	private static void remove(InboundPressure pressure, int messages, int bytes) {
		for (int i = 0; i < messages; i++) {
			pressure.remove(bytes);
		}
	}

}
