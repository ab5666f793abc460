package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The scenario of the article's own tests: 4 slots, batches of 100, an interval of a day,
 * 4 batches at once, 2,000 items from concurrent producers. Only full batches may go out
 * before the completion.
 */
@Timeout(60)
class SourceScenarioTests {

	private static final int ITEMS = 2_000;

	private static final int SLOTS = 4;

	private static final int BATCH = 100;

	private final ExecutorService pool = Executors.newFixedThreadPool(4);

	private final AtomicInteger arrived = new AtomicInteger();

	private final AtomicLong sum = new AtomicLong();

	private final AtomicInteger largest = new AtomicInteger();

	private final BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
		.slots(SLOTS)
		.batchSize(BATCH)
		.pushInterval(Duration.ofDays(1))
		.maxConcurrency(4)
		.executor(this.pool)
		.build();

	@AfterEach
	void stop() {
		this.pool.shutdownNow();
	}

	@Test
	void itemsPushedAfterTheStartGoOutInFullBatchesAndTheRestAtCompletion() throws InterruptedException {
		this.consumer.start(this::pump);
		int[] perSlot = pushFromProducers();
		assertFullBatchesThenTheRest(perSlot);
	}

	@Test
	void itemsPushedBeforeTheStartGoOutInFullBatchesAndTheRestAtCompletion() throws InterruptedException {
		int[] perSlot = pushFromProducers();
		assertThat(this.arrived).hasValue(0);
		this.consumer.start(this::pump);
		assertFullBatchesThenTheRest(perSlot);
	}

	@Test
	void withoutDrainingNothingMoreGoesOutAndItCanStartAgain() throws InterruptedException {
		this.consumer.start(this::pump);
		pushFromProducers();
		assertThat(this.consumer.complete(false)).succeedsWithin(Duration.ofSeconds(10));
		int before = this.arrived.get();
		assertThat(this.consumer.snapshot().waiting()).isZero();
		long discarded = this.consumer.snapshot().slots().stream().mapToLong(SlotSnapshot::dropped).sum();
		assertThat(before + discarded).isEqualTo(ITEMS);
		this.consumer.start(this::pump);
		pushFromProducers();
		assertThat(this.consumer.complete(true)).succeedsWithin(Duration.ofSeconds(10));
		assertThat(this.arrived).hasValue(before + ITEMS);
	}

	private void assertFullBatchesThenTheRest(int[] perSlot) {
		int full = 0;
		for (int count : perSlot) {
			full += count / BATCH * BATCH;
		}
		int expected = full;
		await().until(() -> this.arrived.get() == expected);
		assertThat(this.largest).hasValue(BATCH);
		assertThat(this.consumer.complete(true)).succeedsWithin(Duration.ofSeconds(10));
		assertThat(this.arrived).hasValue(ITEMS);
		assertThat(this.sum).hasValue((long) ITEMS * (ITEMS - 1) / 2);
		assertThat(this.largest).hasValue(BATCH);
	}

	private CompletableFuture<?> pump(List<Integer> items, int slot) {
		return CompletableFuture.runAsync(() -> {
			this.largest.accumulateAndGet(items.size(), Math::max);
			this.sum.addAndGet(items.stream().mapToLong(Integer::longValue).sum());
			this.arrived.addAndGet(items.size());
		}, this.pool);
	}

	/** Pushes as many to each slot as no multiple of a batch is; returns how many. */
	private int[] pushFromProducers() throws InterruptedException {
		int[] perSlot = new int[SLOTS];
		for (int item = 0; item < ITEMS; item++) {
			perSlot[slot(item)]++;
		}
		List<Thread> producers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			int producer = i;
			Thread thread = new Thread(() -> {
				for (int item = producer; item < ITEMS; item += 4) {
					this.consumer.push(item, slot(item));
				}
			});
			producers.add(thread);
			thread.start();
		}
		for (Thread producer : producers) {
			producer.join();
		}
		return perSlot;
	}

	private static int slot(int item) {
		return item % 7 % SLOTS;
	}

}
