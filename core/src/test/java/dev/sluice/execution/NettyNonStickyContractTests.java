package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Netty's tests ask of an executor that gives its thread back after some tasks,
 * asked for several values of {@code maxTasksBeforeYield}.
 */
class NettyNonStickyContractTests {

	private static final int TASKS = 5_000;

	private static final int QUEUES = 4;

	private final ExecutorService pool = Executors.newFixedThreadPool(3);

	private final ExecutorService submitters = Executors.newFixedThreadPool(QUEUES);

	@AfterEach
	void stopThreads() {
		this.pool.shutdownNow();
		this.submitters.shutdownNow();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 64, 256, 1024, 10_000 })
	void tasksOfEachSubmitterRunInOrder(int maxTasksBeforeYield) throws InterruptedException {
		SequentialLeveledTaskExecutor executor = executor(maxTasksBeforeYield);
		List<List<Integer>> ran = new ArrayList<>();
		CountDownLatch start = new CountDownLatch(1);
		for (int i = 0; i < QUEUES; i++) {
			TaskQueue queue = executor.queue("queue-" + i);
			List<Integer> order = new ArrayList<>();
			ran.add(order);
			this.submitters.submit(() -> {
				start.await();
				for (int number = 0; number < TASKS; number++) {
					int task = number;
					queue.execute(Level.NORMAL, () -> order.add(task));
				}
				return null;
			});
		}
		start.countDown();
		this.submitters.shutdown();
		assertThat(this.submitters.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		executor.drain().join();

		assertThat(ran).allSatisfy((order) -> assertThat(order).isSorted().doesNotHaveDuplicates().hasSize(TASKS));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 64, 256, 1024, 10_000 })
	void taskThatMeetsTheWorkerGoingIdleIsNotForgotten(int maxTasksBeforeYield) throws Exception {
		TaskQueue queue = executor(maxTasksBeforeYield).queue("a");
		for (int i = 0; i < TASKS; i++) {
			LeveledTask<?> first = queue.submit(Level.NORMAL, () -> 1);
			LeveledTask<?> second = queue.submit((i % 2 == 0) ? Level.HIGH : Level.NORMAL, () -> 2);
			first.get(30, TimeUnit.SECONDS);

			assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(2);
		}
	}

	private SequentialLeveledTaskExecutor executor(int maxTasksBeforeYield) {
		return SequentialLeveledTaskExecutor.builder(this.pool)
			.maxTasksBeforeYield(maxTasksBeforeYield)
			.queueCapacity(TASKS)
			.build();
	}

}
