package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Promise 3: a worker leaves a busy queue after {@code maxTasksBeforeYield} tasks if
 * another queue waits for a worker, and only then. Counted, not timed, on every kind of
 * pool: the order of turns is the executor's and not the pool's. There is a flood for
 * each worker, and a worker whose fellow gets no time of the machine meets them all.
 */
class FairnessTests {

	private static final int QUIET = 99;

	private static final int WORKERS = 2;

	private static final int YIELD = 10;

	@ParameterizedTest
	@EnumSource(Pools.class)
	void workerStartsAtMostOneTurnOfEachFloodBeforeAReadyQueue(Pools kind) throws InterruptedException {
		ExecutorService pool = kind.create(WORKERS);
		Map<Thread, Integer> floodStarts = new ConcurrentHashMap<>();
		AtomicInteger floodTasks = new AtomicInteger();
		Queue<Integer> waitedFor = new ConcurrentLinkedQueue<>();
		CountDownLatch quietDone = new CountDownLatch(QUIET);
		SequentialLeveledTaskExecutor executor = executor(pool);
		for (int flood = 0; flood < WORKERS; flood++) {
			TaskQueue queue = executor.queue("flood-" + flood);
			queue.pause();
			for (int i = 0; i < 5_000; i++) {
				queue.execute(Level.NORMAL, () -> {
					floodStarts.merge(Thread.currentThread(), 1, Integer::sum);
					int task = floodTasks.incrementAndGet();
					if (task % 50 == 0 && task <= 50 * QUIET) {
						AtomicReference<Map<Thread, Integer>> ready = new AtomicReference<>(floodStarts);
						executor.execute("quiet-" + task, Level.NORMAL, () -> {
							Thread worker = Thread.currentThread();
							waitedFor.add(floodStarts.getOrDefault(worker, 0) - ready.get().getOrDefault(worker, 0));
							quietDone.countDown();
						});
						ready.set(Map.copyOf(floodStarts));
					}
				});
			}
		}
		for (int flood = 0; flood < WORKERS; flood++) {
			executor.queue("flood-" + flood).resume();
		}

		assertThat(quietDone.await(30, TimeUnit.SECONDS)).isTrue();
		executor.drain().join();
		pool.shutdown();
		assertThat(waitedFor).as("flood tasks that the worker started before the quiet one")
			.hasSize(QUIET)
			.allSatisfy((count) -> assertThat(count).isLessThanOrEqualTo(WORKERS * YIELD));
	}

	@Test
	void worksOnADirectExecutorToo() {
		SequentialLeveledTaskExecutor executor = executor(Runnable::run);
		List<String> ran = new ArrayList<>();
		executor.execute("flood", Level.NORMAL, () -> {
			for (int i = 1; i < 100; i++) {
				executor.execute("flood", Level.NORMAL, () -> ran.add("flood"));
			}
			executor.execute("quiet", Level.NORMAL, () -> ran.add("quiet"));
			ran.add("flood");
		});

		assertThat(ran.indexOf("quiet")).isEqualTo(YIELD);
	}

	@Test
	void queueKeepsItsWorkerWhileNoOtherWaits() {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = executor(workers);
		executor.addQueue("idle");
		int[] count = new int[1];
		for (int i = 0; i < 10 * YIELD; i++) {
			executor.execute("busy", Level.NORMAL, () -> count[0]++);
		}
		workers.runOne();

		assertThat(count[0]).isEqualTo(10 * YIELD);
		assertThat(workers.size()).isZero();
	}

	@Test
	void highTasksOfOneQueueYieldToOtherQueuesAsWell() {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = executor(workers);
		List<String> ran = new ArrayList<>();
		for (int i = 0; i < 3 * YIELD; i++) {
			executor.execute("flood", Level.HIGH, () -> ran.add("flood"));
		}
		executor.execute("quiet", Level.NORMAL, () -> ran.add("quiet"));
		workers.runAll();

		assertThat(ran.indexOf("quiet")).isEqualTo(YIELD);
	}

	@Test
	void aChangedTurnHoldsForAWorkerThatIsAtAQueue() {
		assertThat(quietAfter(3 * YIELD, 7, 4)).isEqualTo(7);
		assertThat(quietAfter(3 * YIELD, 2, 4)).isEqualTo(4);
		assertThat(quietAfter(3 * YIELD, 2 * YIELD, 4)).isEqualTo(2 * YIELD);
	}

	/**
	 * Changes the turn while a task runs; returns how many ran before another queue's.
	 */
	private static int quietAfter(int tasks, int turn, int changer) {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = executor(workers);
		List<String> ran = new ArrayList<>();
		for (int i = 1; i <= tasks; i++) {
			boolean changes = i == changer;
			executor.execute("flood", Level.NORMAL, () -> {
				ran.add("flood");
				if (changes) {
					executor.setMaxTasksBeforeYield(turn);
				}
			});
		}
		executor.execute("quiet", Level.NORMAL, () -> ran.add("quiet"));
		workers.runAll();
		assertThat(executor.maxTasksBeforeYield()).isEqualTo(turn);
		return ran.indexOf("quiet");
	}

	@Test
	void eachChangeOfTheTurnHasAVersion() {
		SequentialLeveledTaskExecutor executor = executor(Runnable::run);
		assertThat(executor.settingsVersion()).isEqualTo(1);
		executor.setMaxTasksBeforeYield(YIELD + 1);
		assertThat(executor.settingsVersion()).isEqualTo(2);
		assertThatIllegalArgumentException().isThrownBy(() -> executor.setMaxTasksBeforeYield(0));
		assertThat(executor.settingsVersion()).isEqualTo(2);
	}

	@Test
	void aTurnOfNoTaskIsRejected() {
		SequentialLeveledTaskExecutor executor = executor(Runnable::run);
		assertThatIllegalArgumentException().isThrownBy(() -> executor.setMaxTasksBeforeYield(0))
			.withMessage("'maxTasksBeforeYield' must be greater than 0: 0");
		assertThat(executor.maxTasksBeforeYield()).isEqualTo(YIELD);
	}

	private static SequentialLeveledTaskExecutor executor(Executor pool) {
		return SequentialLeveledTaskExecutor.builder(pool)
			.maxTasksBeforeYield(YIELD)
			.queueCapacity(Integer.MAX_VALUE)
			.build();
	}

}
