package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Promise 1: first in, first out within a level, HIGH before every waiting NORMAL, one
 * task of a queue at a time.
 */
class OrderTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final List<String> ran = new ArrayList<>();

	@Test
	void tasksOfALevelRunInTheOrderOfSubmission() {
		submit("a", Level.NORMAL, "1", "2", "3");
		this.workers.runAll();
		submit("a", Level.NORMAL, "4", "5");
		this.workers.runAll();

		assertThat(this.ran).containsExactly("1", "2", "3", "4", "5");
	}

	@Test
	void highTasksRunBeforeEveryWaitingNormalTask() {
		submit("a", Level.NORMAL, "n1", "n2");
		submit("a", Level.HIGH, "h1", "h2");
		submit("a", Level.NORMAL, "n3");
		this.workers.runAll();

		assertThat(this.ran).containsExactly("h1", "h2", "n1", "n2", "n3");
	}

	@Test
	void highTaskThatComesDuringATaskIsNext() {
		this.executor.execute("a", Level.NORMAL, () -> submit("a", Level.HIGH, "h"));
		submit("a", Level.NORMAL, "n1", "n2");
		this.workers.runAll();

		assertThat(this.ran).containsExactly("h", "n1", "n2");
	}

	@Test
	void highTaskNeverInterruptsTheRunningOne() {
		this.executor.execute("a", Level.NORMAL, () -> {
			submit("a", Level.HIGH, "h");
			this.ran.add("running");
		});
		this.workers.runAll();

		assertThat(this.ran).containsExactly("running", "h");
	}

	@Test
	void normalTaskRunsAfterAsManyHighOnesAsAreAllowedInARow() {
		SequentialLeveledTaskExecutor guarded = SequentialLeveledTaskExecutor.builder(this.workers)
			.maxTasksBeforeYield(1)
			.maxConsecutiveHigh(2)
			.build();
		for (int i = 1; i <= 2; i++) {
			String name = "n" + i;
			guarded.execute("a", Level.NORMAL, () -> this.ran.add(name));
		}
		for (int i = 1; i <= 5; i++) {
			String name = "h" + i;
			guarded.execute("a", Level.HIGH, () -> this.ran.add(name));
		}
		guarded.execute("b", Level.NORMAL, () -> {
		});
		this.workers.runAll();

		assertThat(this.ran).containsExactly("h1", "h2", "n1", "h3", "h4", "n2", "h5");
	}

	@Test
	void differentQueuesRunInParallel() throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(2);
		try {
			SequentialLeveledTaskExecutor parallel = SequentialLeveledTaskExecutor.builder(pool).build();
			CountDownLatch meeting = new CountDownLatch(2);
			List<LeveledTask<Boolean>> tasks = new ArrayList<>();
			for (String id : List.of("a", "b")) {
				tasks.add(parallel.submit(id, Level.NORMAL, () -> {
					meeting.countDown();
					return meeting.await(10, TimeUnit.SECONDS);
				}));
			}

			assertThat(tasks).allSatisfy((task) -> assertThat(task.join()).isTrue());
		}
		finally {
			pool.shutdown();
		}
	}

	@Test
	void noTwoTasksOfAQueueOverlapWhateverThePool() throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(8);
		try {
			SequentialLeveledTaskExecutor parallel = SequentialLeveledTaskExecutor.builder(pool)
				.queueCapacity(Integer.MAX_VALUE)
				.build();
			AtomicInteger inside = new AtomicInteger();
			AtomicInteger overlaps = new AtomicInteger();
			int[] unguarded = new int[1];
			ExecutorService producers = Executors.newFixedThreadPool(4);
			for (int p = 0; p < 4; p++) {
				producers.execute(() -> {
					for (int i = 0; i < 5_000; i++) {
						parallel.execute("a", (i % 3 == 0) ? Level.HIGH : Level.NORMAL, () -> {
							overlaps.addAndGet(inside.getAndIncrement());
							unguarded[0]++;
							inside.decrementAndGet();
						});
					}
				});
			}
			producers.shutdown();
			assertThat(producers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
			parallel.drain().join();

			assertThat(overlaps).hasValue(0);
			assertThat(unguarded[0]).isEqualTo(20_000);
		}
		finally {
			pool.shutdown();
		}
	}

	private void submit(String id, Level level, String... names) {
		for (String name : names) {
			this.executor.execute(id, level, () -> this.ran.add(name));
		}
	}

}
