package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.TestVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything at once, for a twentieth of the time that {@code sluice.soak.seconds} says:
 * pushes from several threads to several slots, batches that end at once, later or with a
 * failure, retries, flushes, and completions with a new start. Checked are the size of
 * batches, their number in flight, their order (of one producer in one slot, where only
 * one is in flight), and that every item ended once, and either went out once or was
 * dropped as it came between a completion and the next start.
 */
@Timeout(600)
class BatchSoakTests {

	/** Longer than a busy machine takes for the items that wait. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int PRODUCERS = 3;

	private static final int SLOTS = 4;

	private static final int ITEMS = 20_000;

	private final Queue<String> faults = new ConcurrentLinkedQueue<>();

	private final ExecutorService pool = Executors.newFixedThreadPool(2);

	@Test
	void nothingIsStrandedDoubledOrReordered() throws Exception {
		long end = System.nanoTime()
				+ TimeUnit.SECONDS.toNanos(Long.getLong("sluice.soak.seconds", TestVolume.of(60))) / 20;
		int rounds = 0;
		do {
			new Round(1 + 3 * (rounds++ % 2)).run();
			assertThat(this.faults).isEmpty();
		}
		while (System.nanoTime() < end);
		this.pool.shutdown();
	}

	private final class Round implements BatchPump<Round.Entry> {

		private final int maxConcurrency;

		private final int batchSize = ThreadLocalRandom.current().nextInt(1, 50);

		private final BatchConsumer<Entry> consumer;

		private final AtomicInteger[] inFlight = new AtomicInteger[SLOTS];

		/** The last number that arrived, by slot and producer. */
		private final AtomicInteger[][] last = new AtomicInteger[SLOTS][PRODUCERS];

		/** Whether the consumer runs and was not told to complete. */
		private volatile boolean open = true;

		private final LongAdder ended = new LongAdder();

		private final LongAdder succeeded = new LongAdder();

		Round(int maxConcurrency) {
			this.maxConcurrency = maxConcurrency;
			this.consumer = BatchConsumer.<Entry>builder()
				.slots(SLOTS)
				.batchSize(this.batchSize)
				.maxConcurrency(maxConcurrency)
				.pushInterval(Duration.ofNanos(ThreadLocalRandom.current().nextInt(100_000, 5_000_000)))
				.overflow(SlotOverflow.BLOCK)
				.maxBlock(PATIENCE)
				.maxWaiting(1_000)
				.retry(RetryPolicy.exponential(Integer.MAX_VALUE, Duration.ofNanos(1_000), Duration.ofMillis(1)))
				.executor(BatchSoakTests.this.pool)
				.build();
			for (int slot = 0; slot < SLOTS; slot++) {
				this.inFlight[slot] = new AtomicInteger();
				for (int producer = 0; producer < PRODUCERS; producer++) {
					this.last[slot][producer] = new AtomicInteger(-1);
				}
			}
		}

		void run() throws Exception {
			this.consumer.start(this);
			List<Thread> producers = new ArrayList<>();
			for (int i = 0; i < PRODUCERS; i++) {
				int producer = i;
				Thread thread = new Thread(() -> produce(producer));
				producers.add(thread);
				thread.start();
			}
			for (int restart = 0; restart < 5; restart++) {
				this.open = false;
				this.consumer.complete(true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
				this.consumer.start(this);
				this.open = true;
			}
			for (Thread producer : producers) {
				producer.join();
			}
			this.consumer.complete(true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			long expected = (long) PRODUCERS * ITEMS;
			List<SlotSnapshot> slots = this.consumer.snapshot().slots();
			long completed = slots.stream().mapToLong(SlotSnapshot::completed).sum();
			long dropped = slots.stream().mapToLong(SlotSnapshot::dropped).sum();
			if (this.ended.sum() != expected || this.succeeded.sum() != completed) {
				fault(this.ended.sum() + " ends of " + expected + " items, successful ones " + this.succeeded.sum());
			}
			if (completed + dropped != expected || completed < expected / 4) {
				fault(completed + " of " + expected + " items were in batches: " + slots);
			}
		}

		/** Pushes half of the items only while the consumer is open. */
		private void produce(int producer) {
			for (int number = 0; number < ITEMS; number++) {
				int slot = ThreadLocalRandom.current().nextInt(SLOTS);
				while (number % 2 == 0 && !this.open) {
					Thread.yield();
				}
				this.consumer.push(new Entry(producer, number), slot).whenComplete((result, failure) -> {
					this.ended.increment();
					if (failure == null) {
						this.succeeded.increment();
					}
					else if (!(failure instanceof ItemDroppedException)) {
						fault("an item failed with " + failure);
					}
				});
			}
		}

		@Override
		public CompletionStage<?> pump(List<Entry> items, int slot) {
			if (this.inFlight[slot].incrementAndGet() > this.maxConcurrency) {
				fault("more batches in flight than allowed");
			}
			if (items.isEmpty() || items.size() > this.batchSize) {
				fault("a batch of " + items.size());
			}
			int fate = ThreadLocalRandom.current().nextInt(20);
			if (fate == 0) {
				this.inFlight[slot].decrementAndGet();
				throw new IllegalStateException("expected");
			}
			if (fate < 10) {
				return CompletableFuture.runAsync(() -> finish(items, slot, fate == 1), BatchSoakTests.this.pool);
			}
			finish(items, slot, false);
			return CompletableFuture.completedFuture(null);
		}

		private void finish(List<Entry> items, int slot, boolean fail) {
			if (!fail && this.maxConcurrency == 1) {
				for (Entry entry : items) {
					if (this.last[slot][entry.producer()].getAndSet(entry.number()) >= entry.number()) {
						fault("out of order or doubled: " + entry);
					}
				}
			}
			this.inFlight[slot].decrementAndGet();
			if (fail) {
				throw new IllegalStateException("expected");
			}
		}

		private void fault(String fault) {
			BatchSoakTests.this.faults.add(fault);
		}

		private record Entry(int producer, int number) {
		}

	}

}
