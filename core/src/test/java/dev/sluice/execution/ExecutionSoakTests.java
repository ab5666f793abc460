package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.TestVolume;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything at once, for the time that {@code sluice.soak.seconds} says: submissions of
 * all kinds, cancellations, times to live, stages, pauses and removals from several
 * threads, on one kind of pool after another. Checked are order (of one producer, in one
 * queue and level), exclusion, and that every task ended exactly once and in time.
 */
class ExecutionSoakTests {

	private static final int PRODUCERS = 3;

	private static final int QUEUES = 40;

	private static final int TASKS = 20_000;

	private final Queue<String> faults = new ConcurrentLinkedQueue<>();

	@Test
	void nothingIsStrandedDoubledOrReordered() throws InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("sluice.soak.seconds", TestVolume.of(60)));
		int rounds = 0;
		do {
			Round round = new Round(Pools.values()[rounds++ % Pools.values().length]);
			round.run();
			assertThat(this.faults).isEmpty();
		}
		while (System.nanoTime() < end);
	}

	/** One executor's life, from its first task to its close. */
	private final class Round {

		private final ExecutorService pool;

		private final ExecutorService stageEnders = Executors.newSingleThreadExecutor();

		private final SequentialLeveledTaskExecutor executor;

		private final AtomicBoolean[] inside = new AtomicBoolean[QUEUES];

		/** The last number that ran, by queue, producer and level. */
		private final AtomicInteger[][][] lastRan = new AtomicInteger[QUEUES][PRODUCERS][Level.values().length];

		private final LongAdder ended = new LongAdder();

		Round(Pools kind) {
			this.pool = kind.create(2);
			this.executor = SequentialLeveledTaskExecutor.builder(this.pool)
				.maxTasksBeforeYield(3)
				.maxConsecutiveHigh(5)
				.queueCapacity(500)
				.overflow(OverflowStrategy.values()[ThreadLocalRandom.current().nextInt(4)])
				.build();
			for (int queue = 0; queue < QUEUES; queue++) {
				this.inside[queue] = new AtomicBoolean();
				for (int producer = 0; producer < PRODUCERS; producer++) {
					for (int level = 0; level < 2; level++) {
						this.lastRan[queue][producer][level] = new AtomicInteger(-1);
					}
				}
			}
		}

		void run() throws InterruptedException {
			List<Thread> producers = new ArrayList<>();
			for (int i = 0; i < PRODUCERS; i++) {
				int producer = i;
				Thread thread = new Thread(() -> produce(producer));
				producers.add(thread);
				thread.start();
			}
			for (Thread producer : producers) {
				producer.join();
			}
			try {
				this.executor.drain().get(30, TimeUnit.SECONDS);
				this.executor.shutdown().get(30, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				ExecutionSoakTests.this.faults.add("stranded: " + this.executor.snapshot(5));
			}
			long expected = (long) PRODUCERS * TASKS;
			if (this.ended.sum() != expected) {
				ExecutionSoakTests.this.faults.add(this.ended.sum() + " ends of " + expected + " tasks");
			}
			if (this.executor.snapshot(0).queues() != 0) {
				ExecutionSoakTests.this.faults.add("queues left: " + this.executor.snapshot(5));
			}
			this.pool.shutdown();
			this.stageEnders.shutdown();
		}

		private void produce(int producer) {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			for (int number = 0; number < TASKS; number++) {
				int queue = (random.nextInt(3) == 0) ? 0 : random.nextInt(QUEUES);
				String id = "queue-" + queue;
				Level level = (random.nextInt(4) == 0) ? Level.HIGH : Level.NORMAL;
				LeveledTask<?> task = submit(random, id, level, queue, producer, number);
				task.whenComplete((result, failure) -> this.ended.increment());
				switch (random.nextInt(100)) {
					case 0, 1, 2, 3 -> task.cancel(false);
					case 4 -> {
						this.executor.queue(id).pause();
						this.executor.queue(id).resume();
					}
					case 5 -> this.executor.removeQueue(id);
					case 6 -> this.executor.snapshot(id);
					default -> {
					}
				}
			}
		}

		private LeveledTask<?> submit(ThreadLocalRandom random, String id, Level level, int queue, int producer,
				int number) {
			return switch (random.nextInt(10)) {
				case 0 -> this.executor.submitStage(id, level, () -> {
					enter(queue, producer, level, number);
					CompletableFuture<Integer> stage = new CompletableFuture<>();
					this.stageEnders.execute(() -> {
						leave(queue);
						stage.complete(1);
					});
					return stage;
				});
				case 1 -> this.executor.execute(id, level, Duration.ofNanos(1 + random.nextInt(1_000_000)),
						() -> body(queue, producer, level, number));
				case 2 -> this.executor.execute(id, level, () -> {
					body(queue, producer, level, number);
					throw new AssertionError("thrown on purpose");
				});
				default -> this.executor.execute(id, level, () -> body(queue, producer, level, number));
			};
		}

		private void body(int queue, int producer, Level level, int number) {
			enter(queue, producer, level, number);
			leave(queue);
		}

		private void enter(int queue, int producer, Level level, int number) {
			if (!this.inside[queue].compareAndSet(false, true)) {
				ExecutionSoakTests.this.faults.add("overlap in queue " + queue);
			}
			int last = this.lastRan[queue][producer][level.ordinal()].getAndSet(number);
			if (last >= number) {
				ExecutionSoakTests.this.faults.add("task " + number + " after " + last + " in queue " + queue);
			}
		}

		private void leave(int queue) {
			this.inside[queue].set(false);
		}

	}

}
