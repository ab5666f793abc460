package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** How many batches are in flight, and what slots owe each other: nothing (promise 4). */
@Timeout(60)
class FanOutTests {

	private static final Duration AWAIT = Duration.ofSeconds(20);

	private final ExecutorService pool = Executors.newFixedThreadPool(2);

	private final HeldPump pump = new HeldPump();

	@AfterEach
	void stop() {
		this.pool.shutdownNow();
	}

	@Test
	void noMoreBatchesOfASlotAreInFlightThanAllowedAndTheyStartInOrder() {
		BatchConsumer<Integer> consumer = builder().maxConcurrency(4).executor(Runnable::run).build();
		consumer.start(this.pump);
		for (int i = 0; i < 70; i++) {
			consumer.push(i, 0);
		}
		assertThat(this.pump.count()).isEqualTo(4);
		assertThat(consumer.snapshot().inFlight()).isEqualTo(4);
		this.pump.call(2).succeed();
		this.pump.call(0).succeed();
		assertThat(this.pump.count()).isEqualTo(6);
		for (int i = 0; i < 6; i++) {
			assertThat(this.pump.call(i).items()).first().isEqualTo(10 * i);
		}
	}

	@Test
	void withAConcurrencyOfOneBatchesNeverOverlap() {
		BatchConsumer<Integer> consumer = builder().executor(this.pool).build();
		LongAdder inside = new LongAdder();
		List<Integer> seen = new ArrayList<>();
		consumer.start((items, slot) -> {
			inside.increment();
			List<Integer> copy = List.copyOf(items);
			return CompletableFuture.runAsync(() -> {
				assertThat(inside.sum()).isEqualTo(1);
				seen.addAll(copy);
				inside.decrement();
			}, this.pool);
		});
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			futures.add(consumer.push(i, 0));
		}
		assertThat(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))).succeedsWithin(AWAIT);
		assertThat(seen).hasSize(10_000).isSorted();
	}

	@Test
	void aSlotWhosePumpNeverEndsLeavesTheOthersAtFullSpeed() {
		BatchConsumer<Integer> consumer = builder().slots(3).maxConcurrency(2).executor(this.pool).build();
		consumer
			.start((items, slot) -> (slot == 0) ? new CompletableFuture<>() : CompletableFuture.completedFuture(null));
		List<CompletableFuture<?>> others = new ArrayList<>();
		for (int i = 0; i < 30_000; i++) {
			CompletableFuture<?> pushed = consumer.push(i, i % 3);
			if (i % 3 != 0) {
				others.add(pushed);
			}
		}
		assertThat(CompletableFuture.allOf(others.toArray(CompletableFuture[]::new))).succeedsWithin(AWAIT);
		await().untilAsserted(() -> assertThat(consumer.snapshot().slots().get(0)).returns(2, SlotSnapshot::inFlight)
			.returns(10_000 - 20, SlotSnapshot::waiting));
	}

	@Test
	void aPumpThatBlocksItsThreadHoldsUpItsOwnSlotOnly() throws InterruptedException {
		BatchConsumer<Integer> consumer = builder().slots(2).maxConcurrency(4).executor(this.pool).build();
		CountDownLatch release = new CountDownLatch(1);
		consumer.start((items, slot) -> {
			if (slot == 0) {
				release.await();
			}
			return CompletableFuture.completedFuture(null);
		});
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < 2_000; i++) {
			consumer.push(i, 0);
			futures.add(consumer.push(i, 1));
		}
		assertThat(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))).succeedsWithin(AWAIT);
		assertThat(consumer.snapshot().slots().get(0).completed()).isZero();
		release.countDown();
	}

	@Test
	void aFloodedSlotLeavesTheOnlyThreadToOthers() {
		ExecutorService one = Executors.newSingleThreadExecutor();
		BatchConsumer<Integer> consumer = builder().slots(2).batchSize(1).executor(one).build();
		consumer.start((items, slot) -> {
			if (slot == 0) {
				consumer.push(items.get(0), 0);
			}
			return CompletableFuture.completedFuture(null);
		});
		consumer.push(1, 0);
		assertThat(consumer.push(1, 1)).succeedsWithin(AWAIT);
		consumer.complete(false);
		one.shutdown();
	}

	@Test
	void blockingWorkUsesAsManyThreadsAsBatchesMayBeInFlight() throws InterruptedException {
		ExecutorService workers = Executors.newCachedThreadPool();
		BatchConsumer<Integer> consumer = builder().maxConcurrency(4).executor(this.pool).build();
		CyclicBarrier four = new CyclicBarrier(4);
		ConcurrentHashMap<Integer, Boolean> seen = new ConcurrentHashMap<>();
		consumer.start(BatchPump.blocking(workers, (items, slot) -> {
			four.await(20, TimeUnit.SECONDS);
			items.forEach((item) -> seen.put(item, true));
		}));
		for (int i = 0; i < 80; i++) {
			consumer.push(i, 0);
		}
		await().untilAsserted(() -> assertThat(seen).hasSize(80));
		workers.shutdown();
	}

	private static BatchConsumer.Builder<Integer> builder() {
		return BatchConsumer.<Integer>builder().batchSize(10).pushInterval(Duration.ofDays(1));
	}

}
