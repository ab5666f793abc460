package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The signal that reaches the pump (promise 8). */
@Timeout(60)
class CancellationTests {

	private final List<CancellationSignal> signals = new ArrayList<>();

	private final List<CompletableFuture<Void>> stages = new ArrayList<>();

	private final AtomicInteger cancelled = new AtomicInteger();

	private final BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
		.batchSize(1)
		.maxConcurrency(2)
		.pushInterval(Duration.ofDays(1))
		.executor(Runnable::run)
		.build();

	@Test
	void discardingCancelsTheBatchesThatAreWithThePump() {
		start();
		this.consumer.push(1, 0);
		this.consumer.push(2, 0);
		this.signals.forEach((signal) -> signal.onCancel(this.cancelled::incrementAndGet));
		assertThat(this.signals).hasSize(2).noneMatch(CancellationSignal::isCancelled);
		CompletableFuture<?> completed = this.consumer.complete(false);
		assertThat(this.signals).allMatch(CancellationSignal::isCancelled);
		assertThat(this.cancelled).hasValue(2);
		assertThat(completed).isNotDone();
		this.stages.forEach((stage) -> stage.completeExceptionally(new InterruptedException()));
		assertThat(completed).isCompleted();
		assertThat(this.consumer.snapshot().slots().get(0).retries()).isZero();
	}

	@Test
	void drainingCancelsNothingUntilItTurnsIntoDiscarding() {
		start();
		this.consumer.push(1, 0);
		this.signals.get(0).onCancel(this.cancelled::incrementAndGet);
		this.consumer.complete(true);
		assertThat(this.signals.get(0).isCancelled()).isFalse();
		assertThat(this.cancelled).hasValue(0);
		this.consumer.complete(false);
		this.consumer.complete(false);
		assertThat(this.cancelled).hasValue(1);
	}

	@Test
	void callbackThatComesLateIsCalledAtOnce() {
		start();
		this.consumer.push(1, 0);
		this.consumer.complete(false);
		this.signals.get(0).onCancel(this.cancelled::incrementAndGet);
		assertThat(this.cancelled).hasValue(1);
	}

	@Test
	void callbacksOfABatchThatHasEndedAreNotCalled() {
		start();
		this.consumer.push(1, 0);
		CancellationSignal signal = this.signals.get(0);
		signal.onCancel(this.cancelled::incrementAndGet);
		this.stages.get(0).complete(null);
		signal.onCancel(this.cancelled::incrementAndGet);
		this.consumer.push(2, 0);
		this.consumer.complete(false);
		signal.onCancel(this.cancelled::incrementAndGet);
		assertThat(this.cancelled).hasValue(0);
	}

	@Test
	void callbackThatThrowsIsCountedAndKeepsNoOtherFromItsCall() {
		start();
		this.consumer.push(1, 0);
		this.signals.get(0).onCancel(() -> {
			throw new IllegalStateException();
		});
		this.signals.get(0).onCancel(this.cancelled::incrementAndGet);
		this.consumer.complete(false);
		assertThat(this.cancelled).hasValue(1);
		assertThat(this.consumer.snapshot().callbackFailures()).isEqualTo(1);
	}

	@Test
	void nextRunIsNotCancelled() {
		start();
		this.consumer.complete(false);
		start();
		this.consumer.push(1, 0);
		assertThat(this.signals).hasSize(1).noneMatch(CancellationSignal::isCancelled);
	}

	@Test
	void pumpThatIsGivenCopiesIsToldToo() {
		this.consumer.start(BatchPump.copying(BatchPump.cancellable((items, slot, cancellation) -> {
			this.signals.add(cancellation);
			return new CompletableFuture<>();
		})));
		this.consumer.push(1, 0);
		this.consumer.complete(false);
		assertThat(this.signals).hasSize(1).allMatch(CancellationSignal::isCancelled);
	}

	@Test
	void callbackThatMeetsTheCancellationIsCalledOnce() throws Exception {
		ExecutorService other = Executors.newSingleThreadExecutor();
		CyclicBarrier both = new CyclicBarrier(2);
		int rounds = 2_000;
		for (int round = 0; round < rounds; round++) {
			start();
			this.consumer.push(round, 0);
			CancellationSignal signal = this.signals.get(round);
			CompletableFuture<Void> added = CompletableFuture.runAsync(() -> {
				await(both);
				signal.onCancel(this.cancelled::incrementAndGet);
			}, other);
			await(both);
			this.consumer.complete(false);
			added.get(30, TimeUnit.SECONDS);
			assertThat(this.cancelled).hasValue(round + 1);
			this.stages.get(round).complete(null);
		}
		other.shutdown();
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(30, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void start() {
		this.consumer.start(BatchPump.cancellable((items, slot, cancellation) -> {
			this.signals.add(cancellation);
			CompletableFuture<Void> stage = new CompletableFuture<>();
			this.stages.add(stage);
			return stage;
		}));
	}

}
