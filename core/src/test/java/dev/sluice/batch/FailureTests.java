package dev.sluice.batch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What becomes of batches that fail, and of callbacks that do (promise 5). */
class FailureTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final SettableClock clock = new SettableClock();

	private final HeldPump pump = new HeldPump();

	private final List<String> handled = new ArrayList<>();

	@Test
	void aPumpThatThrowsFailsTheFuturesAndTellsTheErrorHandler() {
		BatchConsumer<Integer> consumer = builder().build();
		consumer.start((items, slot) -> {
			throw new IOException("expected");
		});
		List<CompletableFuture<?>> futures = push(consumer, 0, 3);
		assertFailed(futures, IOException.class, "expected");
		assertThat(this.handled).containsExactly("0: [0, 1, 2] expected");
		assertThat(consumer.snapshot().slots().get(0).failed()).isEqualTo(3);
	}

	@Test
	void anErrorAMissingStageAndAFailedStageAreFailuresLikeAnyOther() {
		BatchConsumer<Integer> consumer = builder().build();
		List<BatchPump<Integer>> pumps = List.of((items, slot) -> {
			throw new StackOverflowError("expected");
		}, (items, slot) -> null, (items, slot) -> CompletableFuture.completedFuture(1)
			.thenCompose((one) -> CompletableFuture.failedFuture(new IOException("expected"))));
		List<Class<? extends Throwable>> failures = List.of(StackOverflowError.class, NullPointerException.class,
				IOException.class);
		for (int i = 0; i < pumps.size(); i++) {
			consumer.start(pumps.get(i));
			assertFailed(push(consumer, 0, 3), failures.get(i), "");
			assertThat(consumer.complete(true)).isCompleted();
		}
	}

	@Test
	void afterAFailureTheSlotGoesOn() {
		BatchConsumer<Integer> consumer = builder().build();
		consumer.start(this.pump);
		push(consumer, 0, 6);
		this.pump.call(0).fail("expected");
		this.pump.call(1).succeed();
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5));
		assertThat(consumer.snapshot().slots().get(0).completed()).isEqualTo(3);
	}

	@Test
	void aStageThatReportsTwiceEndsOneBatchOnce() {
		BatchConsumer<Integer> consumer = builder().build();
		List<TwiceReported> stages = new ArrayList<>();
		consumer.start((items, slot) -> {
			TwiceReported stage = new TwiceReported();
			stages.add(stage);
			return stage;
		});
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		stages.get(0).report();
		assertThat(futures.subList(3, 6)).noneMatch(CompletableFuture::isDone);
		assertThat(consumer.snapshot().inFlight()).isEqualTo(1);
	}

	@Test
	void aFailedBatchIsRetriedAfterItsBackOffAndInOrder() {
		BatchConsumer<Integer> consumer = builder().retry(RetryPolicy.exponential(2, SECOND, SECOND.multipliedBy(9)))
			.build();
		consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		this.pump.call(0).fail("expected");
		this.clock.advance(SECOND.minusNanos(1));
		assertThat(this.pump.count()).isEqualTo(1);
		this.clock.advanceNanos(1);
		this.pump.call(1).fail("expected");
		this.clock.advance(SECOND.multipliedBy(2).minusNanos(1));
		assertThat(this.pump.count()).isEqualTo(2);
		this.clock.advanceNanos(1);
		assertThat(futures).noneMatch(CompletableFuture::isDone);
		this.pump.call(2).succeed();
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2), List.of(0, 1, 2), List.of(0, 1, 2),
				List.of(3, 4, 5));
		assertThat(futures.subList(0, 3)).allSatisfy((future) -> assertThat(future).isCompleted());
		assertThat(this.handled).isEmpty();
		assertThat(consumer.snapshot().slots().get(0).retries()).isEqualTo(2);
	}

	@Test
	void aBatchIsGivenUpWhenItsRetriesAreUsedUp() {
		BatchConsumer<Integer> consumer = builder().retry(RetryPolicy.exponential(1, SECOND, SECOND)).build();
		consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		this.pump.call(0).fail("first");
		this.clock.advance(SECOND);
		this.pump.call(1).fail("second");
		assertFailed(futures.subList(0, 3), IllegalStateException.class, "second");
		assertThat(this.handled).containsExactly("0: [0, 1, 2] second");
		this.pump.call(2).fail("a batch of its own has retries of its own");
		assertThat(this.handled).hasSize(1);
	}

	@Test
	void whileABatchWaitsToBeRetriedOthersMayGoOutUpToTheConcurrency() {
		BatchConsumer<Integer> consumer = builder().maxConcurrency(2)
			.retry(RetryPolicy.exponential(1, SECOND, SECOND))
			.build();
		consumer.start(this.pump);
		push(consumer, 0, 9);
		this.pump.call(0).fail("expected");
		assertThat(this.pump.count()).isEqualTo(2);
		this.pump.call(1).succeed();
		assertThat(this.pump.call(2).items()).containsExactly(6, 7, 8);
		this.clock.advance(SECOND);
		assertThat(this.pump.call(3).items()).containsExactly(0, 1, 2);
	}

	@Test
	void discardingRetriesNothingAndLosesNothing() {
		BatchConsumer<Integer> consumer = builder().maxConcurrency(2)
			.retry(RetryPolicy.exponential(1, SECOND, SECOND))
			.build();
		consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		this.pump.call(0).fail("expected");
		CompletableFuture<?> completed = consumer.complete(false);
		assertFailed(futures.subList(0, 3), IllegalStateException.class, "expected");
		this.pump.call(1).fail("expected too");
		assertFailed(futures.subList(3, 6), IllegalStateException.class, "expected too");
		assertThat(completed).isCompleted();
		assertThat(this.handled).hasSize(2);
		assertThat(consumer.snapshot().slots().get(0).retries()).isEqualTo(1);
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void aRetryPolicyThatThrowsGivesUp() {
		BatchConsumer<Integer> consumer = builder().retry((failures, failure) -> {
			throw new IllegalStateException("policy");
		}).build();
		consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(consumer, 0, 3);
		this.pump.call(0).fail("expected");
		assertFailed(futures, IllegalStateException.class, "expected");
	}

	@Test
	void backOffsDoubleUpToTheLongest() {
		RetryPolicy policy = RetryPolicy.exponential(Integer.MAX_VALUE, SECOND, Duration.ofSeconds(5));
		IOException failure = new IOException();
		assertThat(List.of(1, 2, 3, 4, 1_000_000_000)).map((failures) -> policy.delayAfter(failures, failure))
			.containsExactly(SECOND, SECOND.multipliedBy(2), SECOND.multipliedBy(4), SECOND.multipliedBy(5),
					SECOND.multipliedBy(5));
		assertThat(RetryPolicy.none().delayAfter(1, failure)).isNull();
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.exponential(1, SECOND, SECOND.minusNanos(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.exponential(0, SECOND, SECOND));
	}

	@Test
	void anExecutorThatRejectsFailsWhatWaitsAndTheSlotLivesOn() {
		AtomicBoolean rejecting = new AtomicBoolean(true);
		BatchConsumer<Integer> consumer = builder().executor((task) -> {
			if (rejecting.get()) {
				throw new RejectedExecutionException("no thread");
			}
			task.run();
		}).build();
		push(consumer, 0, 2);
		consumer.start(this.pump);
		List<CompletableFuture<?>> rejected = push(consumer, 2, 3);
		assertFailed(rejected, RejectedExecutionException.class, "no thread");
		assertThat(this.handled).containsExactly("0: [0, 1] no thread", "0: [2] no thread", "0: [3] no thread",
				"0: [4] no thread");
		rejecting.set(false);
		push(consumer, 5, 3);
		assertThat(this.pump.batches()).containsExactly(List.of(5, 6, 7));
		rejecting.set(true);
		CompletableFuture<?> completed = consumer.complete(true);
		this.pump.call(0).succeed();
		assertThat(completed).isCompleted();
	}

	@Test
	void aListenerIsToldOfEveryCallAndCallbacksThatThrowAlterNothing() {
		List<String> told = new ArrayList<>();
		List<PumpOutcome> others = new ArrayList<>();
		BatchConsumer<Integer> consumer = builder().retry(RetryPolicy.exponential(1, SECOND, SECOND))
			.errorHandler((items, slot, failure) -> {
				throw new IllegalStateException("handler");
			})
			.listener((slot, items, outcome, nanos) -> {
				told.add(slot + " " + items + " " + outcome + " " + Duration.ofNanos(nanos).toMillis());
				throw new IllegalStateException("listener");
			})
			.listener((slot, items, outcome, nanos) -> others.add(outcome))
			.build();
		consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		this.clock.advance(Duration.ofMillis(5));
		this.pump.call(0).fail("expected");
		this.clock.advance(SECOND);
		this.pump.call(1).fail("expected");
		this.pump.call(2).succeed();
		assertThat(told).containsExactly("0 3 RETRIED 5", "0 3 FAILED 0", "0 3 COMPLETED 0");
		assertThat(others).containsExactly(PumpOutcome.RETRIED, PumpOutcome.FAILED, PumpOutcome.COMPLETED);
		assertFailed(futures.subList(0, 3), IllegalStateException.class, "expected");
		assertThat(futures.subList(3, 6)).allSatisfy((future) -> assertThat(future).isCompleted());
		assertThat(consumer.snapshot().callbackFailures()).isEqualTo(4);
	}

	private static List<CompletableFuture<?>> push(BatchConsumer<Integer> consumer, int first, int count) {
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = first; i < first + count; i++) {
			futures.add(consumer.push(i, 0));
		}
		return futures;
	}

	private static void assertFailed(List<CompletableFuture<?>> futures, Class<? extends Throwable> type,
			String message) {
		assertThat(futures)
			.allSatisfy((future) -> assertThatExceptionOfType(Exception.class).isThrownBy(() -> future.getNow(null))
				.havingCause()
				.isInstanceOf(type)
				.withMessageContaining(message));
	}

	private BatchConsumer.Builder<Integer> builder() {
		return BatchConsumer.<Integer>builder()
			.batchSize(3)
			.pushInterval(Duration.ofDays(1))
			.clock(this.clock)
			.executor(Runnable::run)
			.errorHandler((items, slot, failure) -> this.handled.add(slot + ": " + items + " " + failure.getMessage()));
	}

	/** A stage that calls back twice. */
	private static final class TwiceReported extends CompletableFuture<Integer> {

		private BiConsumer<? super Integer, ? super Throwable> callback;

		@Override
		public CompletableFuture<Integer> whenComplete(BiConsumer<? super Integer, ? super Throwable> action) {
			this.callback = action;
			return this;
		}

		void report() {
			this.callback.accept(1, null);
			this.callback.accept(1, null);
		}

	}

}
