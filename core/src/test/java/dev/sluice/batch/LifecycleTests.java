package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/** Start, completion, and start again (promise 7). */
@Timeout(60)
class LifecycleTests {

	private final HeldPump pump = new HeldPump();

	private final BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
		.slots(2)
		.batchSize(3)
		.pushInterval(Duration.ofDays(1))
		.maxConcurrency(2)
		.executor(Runnable::run)
		.build();

	@Test
	void drainingSendsWhatWaitsWithoutWaitingForTheInterval() {
		this.consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(0, 0, 8);
		futures.addAll(push(1, 10, 1));
		CompletableFuture<?> completed = this.consumer.complete(true);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5), List.of(10));
		this.pump.call(0).succeed();
		assertThat(this.pump.batches()).hasSize(4).endsWith(List.of(6, 7));
		this.pump.call(1).succeed();
		this.pump.call(2).succeed();
		assertThat(completed).isNotDone();
		this.pump.call(3).succeed();
		assertThat(completed).isCompleted();
		assertThat(futures).allSatisfy((future) -> assertThat(future).isCompleted());
		assertThat(this.consumer.snapshot().running()).isFalse();
	}

	@Test
	void discardingFailsWhatWaitsAndLetsWhatIsInFlightEnd() {
		this.consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(0, 0, 8);
		CompletableFuture<?> completed = this.consumer.complete(false);
		for (CompletableFuture<?> future : futures.subList(6, 8)) {
			assertThat(failure(future)).isInstanceOf(ItemDroppedException.class)
				.hasMessage("Item dropped because its consumer completes without draining");
		}
		assertThat(completed).isNotDone();
		this.pump.call(1).succeed();
		this.pump.call(0).succeed();
		assertThat(completed).isCompleted();
		assertThat(futures.subList(0, 6)).allSatisfy((future) -> assertThat(future).isCompleted());
		assertThat(this.pump.count()).isEqualTo(2);
		assertThat(this.consumer.snapshot().slots().get(0).dropped()).isEqualTo(2);
	}

	@Test
	void drainingMayTurnIntoDiscarding() {
		this.consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(0, 0, 8);
		CompletableFuture<?> draining = this.consumer.complete(true);
		CompletableFuture<?> discarding = this.consumer.complete(false);
		assertThat(futures.subList(6, 8)).allSatisfy((future) -> assertThat(future).isCompletedExceptionally());
		this.pump.call(0).succeed();
		this.pump.call(1).succeed();
		assertThat(draining).isCompleted();
		assertThat(discarding).isCompleted();
		assertThat(this.pump.count()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsPushedAfterCompletionBeganIsDroppedUntilTheNextStart(boolean drain) {
		this.consumer.start(this.pump);
		push(0, 0, 3);
		CompletableFuture<?> completed = this.consumer.complete(drain);
		List<CompletableFuture<?>> later = push(0, 3, 4);
		this.pump.call(0).succeed();
		assertThat(completed).isCompleted();
		later.addAll(push(1, 7, 1));
		for (CompletableFuture<?> future : later) {
			assertThat(failure(future)).isInstanceOf(ItemDroppedException.class)
				.hasMessage("Item dropped because the consumer was completed before");
		}
		assertThat(this.consumer.snapshot().slots()).extracting(SlotSnapshot::dropped).containsExactly(4L, 1L);
		HeldPump second = new HeldPump();
		this.consumer.start(second);
		push(0, 8, 3);
		assertThat(second.batches()).containsExactly(List.of(8, 9, 10));
	}

	@Test
	void whatIsPushedBeforeTheFirstStartWaitsForIt() {
		this.consumer.complete(true);
		List<CompletableFuture<?>> futures = push(0, 0, 3);
		this.consumer.start(this.pump);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2));
		assertThat(futures).noneMatch(CompletableFuture::isDone);
	}

	@Test
	void discardingWhileNotRunningFailsWhatWaits() {
		List<CompletableFuture<?>> futures = push(1, 0, 4);
		assertThat(this.consumer.complete(true)).isCompleted();
		assertThat(futures).noneMatch(CompletableFuture::isDone);
		assertThat(this.consumer.complete(false)).isCompleted();
		assertThat(futures).allSatisfy((future) -> assertThat(future).isCompletedExceptionally());
		this.consumer.start(this.pump);
		assertThat(this.pump.count()).isZero();
	}

	@Test
	void startingWhileRunningOrCompletingThrows() {
		this.consumer.start(this.pump);
		assertThatIllegalStateException().isThrownBy(() -> this.consumer.start(this.pump))
			.withMessageContaining("running");
		push(0, 0, 3);
		CompletableFuture<?> completed = this.consumer.complete(true);
		assertThatIllegalStateException().isThrownBy(() -> this.consumer.start(this.pump));
		completed.complete(null);
		assertThatIllegalStateException().isThrownBy(() -> this.consumer.start(this.pump));
		this.pump.call(0).succeed();
		this.consumer.start(this.pump);
	}

	@Test
	void whenItHasCompletedThenItCanStartAgainFromAContinuation() {
		this.consumer.start(this.pump);
		push(0, 0, 1);
		HeldPump second = new HeldPump();
		CompletableFuture<?> restarted = this.consumer.complete(true).thenRun(() -> this.consumer.start(second));
		this.pump.call(0).succeed();
		assertThat(restarted).isCompleted();
		push(0, 1, 3);
		assertThat(second.batches()).containsExactly(List.of(1, 2, 3));
	}

	@Test
	void startAndCompleteMayBeCalledByAnyThreads() throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		BatchConsumer<Integer> shared = BatchConsumer.<Integer>builder()
			.slots(2)
			.batchSize(3)
			.pushInterval(Duration.ofMillis(1))
			.executor(pool)
			.build();
		LongAdder ended = new LongAdder();
		LongAdder arrived = new LongAdder();
		AtomicInteger starts = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		int each = 5_000;
		for (int i = 0; i < 4; i++) {
			int slot = i % 2;
			Thread thread = new Thread(() -> {
				for (int item = 0; item < each; item++) {
					shared.push(item, slot).whenComplete((result, failure) -> ended.increment());
					if (item % 10 == 0) {
						switch (ThreadLocalRandom.current().nextInt(3)) {
							case 0 -> shared.complete(true);
							case 1 -> shared.complete(false);
							default -> start(shared, arrived, starts);
						}
					}
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(shared.complete(true)).succeedsWithin(10, TimeUnit.SECONDS);
		shared.complete(false);
		await().until(() -> ended.sum() == 4L * each);
		BatchSnapshot snapshot = shared.snapshot();
		assertThat(arrived.sum()).isEqualTo(snapshot.slots().stream().mapToLong(SlotSnapshot::completed).sum());
		assertThat(starts).hasPositiveValue();
		assertThat(snapshot.waiting()).isZero();
		pool.shutdown();
	}

	private static void start(BatchConsumer<Integer> consumer, LongAdder arrived, AtomicInteger starts) {
		try {
			consumer.start((items, slot) -> {
				arrived.add(items.size());
				return CompletableFuture.completedFuture(null);
			});
			starts.incrementAndGet();
		}
		catch (IllegalStateException ex) {
			assertThat(ex).hasMessageContaining("running");
		}
	}

	private List<CompletableFuture<?>> push(int slot, int first, int count) {
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = first; i < first + count; i++) {
			futures.add(this.consumer.push(i, slot));
		}
		return futures;
	}

	private static Throwable failure(CompletableFuture<?> future) {
		return catchThrowableOfType(CompletionException.class, () -> future.getNow(null)).getCause();
	}

}
