package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Promise 6: a queue is bounded, and what a full one rejects or drops ends with a typed
 * exception.
 */
class OverflowTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final List<String> ran = new ArrayList<>();

	@Test
	void rejectFailsTheNewcomer() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.REJECT, 2);
		submit(executor, Level.NORMAL, "1");
		submit(executor, Level.HIGH, "2");
		LeveledTask<@Nullable Void> rejected = submit(executor, Level.HIGH, "3");

		assertThat(failureOf(rejected)).cause()
			.isInstanceOfSatisfying(QueueFullException.class, (ex) -> assertThat(ex.capacity()).isEqualTo(2))
			.hasMessage("Queue 'a' is full; its capacity is 2");
		this.workers.runAll();
		assertThat(this.ran).containsExactly("2", "1");
		assertThat(executor.snapshot(0).rejected()).isEqualTo(1);
		assertThat(submit(executor, Level.NORMAL, "4")).isNotDone();
	}

	@Test
	void runningTaskTakesNoPlace() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.REJECT, 1);
		List<LeveledTask<?>> inside = new ArrayList<>();
		executor.execute("a", Level.NORMAL, () -> {
			inside.add(submit(executor, Level.NORMAL, "1"));
			inside.add(submit(executor, Level.NORMAL, "2"));
		});
		this.workers.runAll();

		assertThat(inside.get(0)).isCompleted();
		assertThat(inside.get(1)).isCompletedExceptionally();
	}

	@Test
	void cancelledTaskGivesItsPlaceBackAtOnce() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.REJECT, 1);
		submit(executor, Level.NORMAL, "1").cancel(false);

		assertThat(submit(executor, Level.NORMAL, "2")).isNotDone();
	}

	@Test
	void dropNewestFailsTheNewcomer() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.DROP_NEWEST, 1);
		submit(executor, Level.NORMAL, "1");
		LeveledTask<@Nullable Void> dropped = submit(executor, Level.HIGH, "2");

		assertThat(failureOf(dropped)).hasCauseInstanceOf(TaskDroppedException.class);
		assertThat(executor.snapshot(0).dropped()).isEqualTo(1);
	}

	@Test
	void dropOldestFailsTheOldestNormalTask() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.DROP_OLDEST, 3);
		submit(executor, Level.HIGH, "h1");
		LeveledTask<@Nullable Void> oldest = submit(executor, Level.NORMAL, "n1");
		submit(executor, Level.NORMAL, "n2");
		submit(executor, Level.NORMAL, "n3");

		assertThat(failureOf(oldest)).hasCauseInstanceOf(TaskDroppedException.class);
		this.workers.runAll();
		assertThat(this.ran).containsExactly("h1", "n2", "n3");
	}

	@Test
	void dropOldestFailsAHighTaskOnlyForAHighNewcomerWhenNoNormalWaits() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.DROP_OLDEST, 2);
		LeveledTask<@Nullable Void> oldest = submit(executor, Level.HIGH, "h1");
		submit(executor, Level.HIGH, "h2");
		LeveledTask<@Nullable Void> normal = submit(executor, Level.NORMAL, "n");
		submit(executor, Level.HIGH, "h3");

		assertThat(failureOf(normal)).hasCauseInstanceOf(TaskDroppedException.class);
		assertThat(failureOf(oldest)).hasCauseInstanceOf(TaskDroppedException.class);
		this.workers.runAll();
		assertThat(this.ran).containsExactly("h2", "h3");
	}

	@Test
	void dropOldestNeverLosesTheNewest() {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try {
			TaskQueue queue = SequentialLeveledTaskExecutor.builder(pool)
				.queueCapacity(1)
				.overflow(OverflowStrategy.DROP_OLDEST)
				.build()
				.queue("a");
			int lost = 0;
			for (int i = 0; i < 500_000; i++) {
				LeveledTask<?> newest = queue.submit(Level.NORMAL, () -> 1);
				lost += newest.isCompletedExceptionally() ? 1 : 0;
			}

			assertThat(lost).as("newest tasks dropped while the worker took the oldest").isZero();
		}
		finally {
			pool.shutdown();
		}
	}

	@Test
	void dropOldestUnlinksWhatItDrops() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.DROP_OLDEST, 1_000);
		for (int i = 0; i < 2_000; i++) {
			submit(executor, Level.NORMAL, "n");
		}

		assertThat(executor.queues.live("a").owner.waitingTasks((task) -> true)).hasSizeLessThanOrEqualTo(1_001);
	}

	@Test
	void dropOldestWorksWhileATaskRuns() {
		SequentialLeveledTaskExecutor executor = executor(OverflowStrategy.DROP_OLDEST, 2);
		executor.execute("a", Level.NORMAL, () -> {
			for (int i = 1; i <= 5; i++) {
				submit(executor, Level.NORMAL, "n" + i);
			}
		});
		this.workers.runAll();

		assertThat(this.ran).containsExactly("n4", "n5");
	}

	@Test
	void expiredTasksMakeRoomFirst() {
		AtomicLong now = new AtomicLong();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.clock(now::get)
			.build();
		LeveledTask<@Nullable Void> expiring = executor.execute("a", Level.NORMAL, Duration.ofMillis(5),
				() -> this.ran.add("late"));
		now.addAndGet(Duration.ofMillis(5).toNanos());
		submit(executor, Level.NORMAL, "new");
		this.workers.runAll();

		assertThat(failureOf(expiring)).hasCauseInstanceOf(TaskExpiredException.class);
		assertThat(this.ran).containsExactly("new");
	}

	@Test
	void blockParksTheSubmitterUntilAPlaceIsFree() throws Exception {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMinutes(1))
			.build();
		submit(executor, Level.NORMAL, "1");
		ExecutorService submitters = Executors.newSingleThreadExecutor();
		try {
			Thread[] parked = new Thread[1];
			var blocked = submitters.submit(() -> {
				parked[0] = Thread.currentThread();
				return submit(executor, Level.NORMAL, "2");
			});
			await().until(() -> parked[0] != null && parked[0].getState() == Thread.State.TIMED_WAITING);
			this.workers.runAll();
			LeveledTask<?> second = blocked.get(10, TimeUnit.SECONDS);
			await().until(() -> {
				this.workers.runAll();
				return second.isDone();
			});
		}
		finally {
			submitters.shutdown();
		}

		assertThat(this.ran).containsExactly("1", "2");
	}

	@Test
	@Timeout(10)
	void blockedSubmitterIsAnsweredWhenTheRejectedPoolHasEmptiedTheQueue() throws Exception {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMinutes(1))
			.build();
		CompletableFuture<Integer> stage = new CompletableFuture<>();
		executor.submitStage("a", Level.NORMAL, () -> stage);
		this.workers.runAll();
		LeveledTask<Integer> waiting = executor.submit("a", Level.NORMAL, () -> 1);
		CompletableFuture<LeveledTask<Integer>> blocked = new CompletableFuture<>();
		Thread submitter = new Thread(() -> blocked.complete(executor.submit("a", Level.NORMAL, () -> 2)));
		submitter.start();
		await().until(() -> submitter.getState() == Thread.State.TIMED_WAITING);

		this.workers.reject(true);
		stage.complete(0);

		assertThat(waiting).isCompletedExceptionally();
		assertThat(blocked.get()).isCompletedExceptionally();
	}

	@Test
	void blockedSubmitterIsRejectedWhenItsTimeIsUp() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMillis(5))
			.build();
		submit(executor, Level.NORMAL, "1");

		assertThat(failureOf(submit(executor, Level.NORMAL, "2"))).hasCauseInstanceOf(QueueFullException.class);
	}

	@Test
	void interruptedSubmitterIsRejectedAndStaysInterrupted() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMinutes(1))
			.build();
		submit(executor, Level.NORMAL, "1");
		Thread.currentThread().interrupt();
		LeveledTask<@Nullable Void> rejected = submit(executor, Level.NORMAL, "2");

		assertThat(Thread.interrupted()).isTrue();
		assertThat(rejected).isCompletedExceptionally();
	}

	@Test
	void taskOfTheSameExecutorIsNeverParked() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMinutes(1))
			.build();
		List<LeveledTask<?>> inside = new ArrayList<>();
		executor.execute("a", Level.NORMAL, () -> {
			inside.add(submit(executor, Level.NORMAL, "1"));
			inside.add(submit(executor, Level.NORMAL, "2"));
		});
		this.workers.runAll();

		assertThat(failureOf(inside.get(1))).hasCauseInstanceOf(QueueFullException.class);
	}

	@Test
	void taskOfTheSameExecutorFindsAFreePlaceWhoeverWaitsInLine() throws InterruptedException {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(2)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMinutes(1))
			.build();
		List<LeveledTask<?>> tasks = new ArrayList<>();
		executor.execute("a", Level.NORMAL, () -> {
			tasks.get(0).cancel(false);
			tasks.add(submit(executor, Level.NORMAL, "inside"));
		});
		tasks.add(submit(executor, Level.NORMAL, "cancelled"));
		Thread submitter = new Thread(() -> submit(executor, Level.NORMAL, "waited"));
		submitter.start();
		await().until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
		this.workers.runAll();
		submitter.join();
		this.workers.runAll();

		assertThat(tasks.get(1)).isCompleted();
		assertThat(this.ran).containsExactlyInAnyOrder("inside", "waited");
	}

	@Test
	void submitterThatWaitsForARemovedQueueGoesToTheNextGeneration() throws Exception {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.BLOCK)
			.maxBlock(Duration.ofMinutes(1))
			.build();
		submit(executor, Level.NORMAL, "1");
		ExecutorService submitters = Executors.newSingleThreadExecutor();
		try {
			Thread[] parked = new Thread[1];
			var blocked = submitters.submit(() -> {
				parked[0] = Thread.currentThread();
				return submit(executor, Level.NORMAL, "2");
			});
			await().until(() -> parked[0] != null && parked[0].getState() == Thread.State.TIMED_WAITING);
			executor.removeQueue("a");
			assertThat(blocked.get(10, TimeUnit.SECONDS)).isNotDone();
		}
		finally {
			submitters.shutdown();
		}
		this.workers.runAll();

		assertThat(this.ran).containsExactly("1", "2");
	}

	/** Why the task has failed; fails instead of waiting where it has not. */
	private static Throwable failureOf(LeveledTask<?> task) {
		assertThat(task).isCompletedExceptionally();
		return catchThrowable(task::join);
	}

	private SequentialLeveledTaskExecutor executor(OverflowStrategy strategy, int capacity) {
		return SequentialLeveledTaskExecutor.builder(this.workers).queueCapacity(capacity).overflow(strategy).build();
	}

	private LeveledTask<@Nullable Void> submit(SequentialLeveledTaskExecutor executor, Level level, String name) {
		return executor.execute("a", level, () -> this.ran.add(name));
	}

}
