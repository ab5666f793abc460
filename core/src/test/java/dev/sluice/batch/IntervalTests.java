package dev.sluice.batch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What goes out though it fills no batch, and what that costs (promise 3). */
class IntervalTests {

	private final SettableClock clock = new SettableClock();

	private final AtomicInteger runs = new AtomicInteger();

	private final HeldPump pump = new HeldPump();

	private final BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
		.slots(2)
		.batchSize(3)
		.pushInterval(Duration.ofMillis(10))
		.maxConcurrency(2)
		.clock(this.clock)
		.executor((task) -> {
			this.runs.incrementAndGet();
			task.run();
		})
		.build();

	@Test
	void anItemWaitsAnIntervalAndNoLonger() {
		this.consumer.start(this.pump);
		this.consumer.push(1, 0);
		advanceMillis(4);
		this.consumer.push(2, 0);
		advanceMillis(5);
		assertThat(this.pump.count()).isZero();
		advanceMillis(1);
		assertThat(this.pump.batches()).containsExactly(List.of(1, 2));
	}

	@Test
	void theIntervalOfWhatABatchLeavesBehindBeginsWithThatBatch() {
		this.consumer.start(this.pump);
		this.consumer.push(1, 0);
		advanceMillis(6);
		for (int i = 2; i <= 4; i++) {
			this.consumer.push(i, 0);
		}
		advanceMillis(9);
		assertThat(this.pump.batches()).containsExactly(List.of(1, 2, 3));
		advanceMillis(1);
		assertThat(this.pump.batches()).containsExactly(List.of(1, 2, 3), List.of(4));
	}

	@Test
	void whatIsPushedLaterWaitsItsOwnInterval() {
		this.consumer.start(this.pump);
		this.consumer.push(1, 0);
		advanceMillis(10);
		advanceMillis(3);
		this.consumer.push(2, 0);
		advanceMillis(9);
		assertThat(this.pump.batches()).containsExactly(List.of(1));
		advanceMillis(1);
		assertThat(this.pump.batches()).containsExactly(List.of(1), List.of(2));
	}

	@Test
	void whatWaitedForTheStartWaitsAnIntervalFromThen() {
		this.consumer.push(1, 0);
		assertThat(this.clock.scheduled()).isZero();
		advanceMillis(100);
		this.consumer.start(this.pump);
		advanceMillis(9);
		assertThat(this.pump.count()).isZero();
		advanceMillis(1);
		assertThat(this.pump.batches()).containsExactly(List.of(1));
	}

	@Test
	void whenAllBatchesAreInFlightThenTheRestGoesOutAsSoonAsOneEnds() {
		this.consumer.start(this.pump);
		for (int i = 0; i < 7; i++) {
			this.consumer.push(i, 0);
		}
		advanceMillis(50);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5));
		this.pump.call(1).succeed();
		assertThat(this.pump.count()).isEqualTo(3);
		assertThat(this.pump.call(2).items()).containsExactly(6);
	}

	@Test
	void aTimerStandsOnlyWhileSomethingWaits() {
		assertThat(this.clock.scheduled()).isZero();
		this.consumer.start(this.pump);
		assertThat(this.clock.scheduled()).isZero();
		this.consumer.push(1, 0);
		this.consumer.push(2, 0);
		this.consumer.push(1, 1);
		assertThat(this.clock.scheduled()).isEqualTo(2);
		this.consumer.push(3, 0);
		assertThat(this.clock.scheduled()).isEqualTo(1);
		advanceMillis(10);
		assertThat(this.clock.scheduled()).isZero();
		this.consumer.push(2, 1);
		this.consumer.complete(false);
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void anIdleConsumerDoesNothing() {
		this.consumer.start((items, slot) -> CompletableFuture.completedFuture(null));
		for (int i = 0; i < 10; i++) {
			this.consumer.push(i, 0);
		}
		advanceMillis(10);
		int before = this.runs.get();
		advanceMillis(1_000_000);
		assertThat(this.runs).hasValue(before);
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void aBusySlotSetsItsTimerOncePerIntervalNotOncePerBatch() {
		AtomicInteger timers = new AtomicInteger();
		SettableClock settable = this.clock;
		BatchConsumer<Integer> busy = BatchConsumer.<Integer>builder()
			.batchSize(3)
			.pushInterval(Duration.ofMillis(10))
			.clock(new CountingClock(settable, timers))
			.executor(Runnable::run)
			.build();
		for (int i = 0; i < 4; i++) {
			busy.push(i, 0);
		}
		busy.start(this.pump);
		for (int batch = 0; batch < 100; batch++) {
			for (int i = 0; i < 3; i++) {
				busy.push(i, 0);
			}
			this.pump.call(batch).succeed();
			settable.advanceNanos(100_000);
		}
		assertThat(this.pump.count()).isEqualTo(101);
		assertThat(timers).hasValueLessThanOrEqualTo(2);
	}

	private void advanceMillis(long millis) {
		this.clock.advance(Duration.ofMillis(millis));
	}

}
