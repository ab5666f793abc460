package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Works on any executor: one that rejects, one that runs its task at once, one that
 * interrupts.
 */
class WorkersTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final List<String> ran = new ArrayList<>();

	@Test
	void theTimeWithoutAWorkerEndsWhenOneComes() {
		AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
		SequentialLeveledTaskExecutor timed = SequentialLeveledTaskExecutor.builder(this.workers)
			.clock(now::get)
			.build();
		assertThat(timed.snapshot(0).workerWait()).isZero();
		timed.execute("q", Level.NORMAL, () -> now.addAndGet(7));
		now.addAndGet(10);
		timed.execute("r", Level.NORMAL, () -> assertThat(timed.snapshot(0).workerWait()).isZero());
		assertThat(timed.snapshot(0).workerWait()).isEqualTo(Duration.ofNanos(10));
		this.workers.runAll();
		assertThat(timed.snapshot(0)).returns(2L, ExecutorSnapshot::completed)
			.returns(Duration.ZERO, ExecutorSnapshot::workerWait);
	}

	@Test
	void rejectedWorkerFailsTheTaskAndTheQueueLivesOn() {
		this.workers.reject(true);
		LeveledTask<Integer> rejected = this.executor.submit("a", Level.NORMAL, () -> 1);
		this.workers.reject(false);
		LeveledTask<Integer> next = this.executor.submit("a", Level.NORMAL, () -> 2);
		this.workers.runAll();

		assertThat(catchThrowable(rejected::join)).hasCauseInstanceOf(RejectedExecutionException.class);
		assertThat(next).isCompletedWithValue(2);
		assertThat(this.executor.snapshot(0).rejected()).isEqualTo(1);
	}

	@Test
	void rejectedWorkerAfterAStageFailsTheWaitingTasks() {
		CompletableFuture<Integer> stage = new CompletableFuture<>();
		LeveledTask<Integer> first = this.executor.submitStage("a", Level.NORMAL, () -> stage);
		LeveledTask<Integer> waiting = this.executor.submit("a", Level.NORMAL, () -> 2);
		this.workers.runAll();
		this.workers.reject(true);
		stage.complete(1);

		assertThat(first).isCompletedWithValue(1);
		assertThat(waiting).isCompletedExceptionally();
		this.workers.reject(false);
		LeveledTask<Integer> next = this.executor.submit("a", Level.NORMAL, () -> 3);
		this.workers.runAll();
		assertThat(next).isCompletedWithValue(3);
	}

	@Test
	void rejectionFailsNoTaskForWhichAWorkerWasFoundMeanwhile() {
		AtomicReference<SequentialLeveledTaskExecutor> self = new AtomicReference<>();
		SequentialLeveledTaskExecutor listened = SequentialLeveledTaskExecutor.builder(this.workers)
			.listener((id, level, outcome, waitNanos, runNanos) -> {
				if (outcome == TaskOutcome.REJECTED) {
					this.workers.reject(false);
					self.get().execute("b", Level.NORMAL, () -> this.ran.add("b"));
				}
			})
			.build();
		self.set(listened);
		this.workers.reject(true);
		listened.execute("a", Level.NORMAL, () -> this.ran.add("a"));
		this.workers.runAll();

		assertThat(this.ran).containsExactly("b");
		assertThat(listened.snapshot(0).rejected()).isEqualTo(1);
	}

	@Test
	void rejectionOfManyGenerationsDoesNotRecurse() {
		CompletableFuture<Integer> stage = new CompletableFuture<>();
		this.executor.submitStage("a", Level.NORMAL, () -> stage);
		this.workers.runAll();
		LeveledTask<?> last = null;
		for (int i = 0; i < 20_000; i++) {
			this.executor.removeQueue("a");
			last = this.executor.submit("a", Level.NORMAL, () -> 1);
		}
		this.workers.reject(true);
		stage.complete(1);

		assertThat(last).isCompletedExceptionally();
		assertThat(this.executor.snapshot(0).rejected()).isEqualTo(20_000);
	}

	@Test
	void workerThatRunsThoughThePoolThrewHarmsNothing() {
		boolean[] throwing = { true };
		SequentialLeveledTaskExecutor thrown = SequentialLeveledTaskExecutor.builder((worker) -> {
			this.workers.execute(worker);
			if (throwing[0]) {
				throw new OutOfMemoryError("unable to create a thread");
			}
		}).build();
		assertThat(thrown.submit("a", Level.NORMAL, () -> 1)).isCompletedExceptionally();
		throwing[0] = false;
		this.workers.runAll();
		LeveledTask<Integer> next = thrown.submit("a", Level.NORMAL, () -> 2);
		this.workers.runAll();

		assertThat(next).isCompletedWithValue(2);
	}

	@Test
	void saturatedPoolRejectsTheNewQueueOnly() throws InterruptedException {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
		try {
			SequentialLeveledTaskExecutor saturated = SequentialLeveledTaskExecutor.builder(pool).build();
			CountDownLatch started = new CountDownLatch(1);
			CountDownLatch finish = new CountDownLatch(1);
			LeveledTask<?> running = saturated.submit("a", Level.NORMAL, () -> {
				started.countDown();
				return finish.await(10, TimeUnit.SECONDS);
			});
			started.await();
			LeveledTask<?> behind = saturated.submit("a", Level.NORMAL, () -> 1);
			LeveledTask<?> rejected = saturated.submit("b", Level.NORMAL, () -> 1);
			finish.countDown();

			assertThat(rejected).isCompletedExceptionally();
			assertThat(running.join()).isEqualTo(true);
			assertThat(behind.join()).isEqualTo(1);
		}
		finally {
			pool.shutdown();
		}
	}

	@Test
	void directExecutorRunsTasksWithoutRecursion() {
		SequentialLeveledTaskExecutor direct = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		int tasks = 100_000;
		int[] count = new int[1];
		direct.execute("0", Level.NORMAL, new Runnable() {

			@Override
			public void run() {
				if (++count[0] < tasks) {
					direct.execute(String.valueOf(count[0] % 7), Level.NORMAL, this);
				}
			}

		});

		assertThat(count[0]).isEqualTo(tasks);
	}

	@Test
	void twoDirectExecutorsThatFeedEachOtherDoNotRecurse() {
		SequentialLeveledTaskExecutor ping = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		SequentialLeveledTaskExecutor pong = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		int tasks = 100_000;
		int[] count = new int[1];
		ping.execute("a", Level.NORMAL, new Runnable() {

			@Override
			public void run() {
				if (++count[0] < tasks) {
					((count[0] % 2 == 0) ? ping : pong).execute("a", Level.NORMAL, this);
				}
			}

		});

		assertThat(count[0]).isEqualTo(tasks);
	}

	@Test
	void directExecutorKeepsTheQueuesOrder() {
		SequentialLeveledTaskExecutor direct = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		direct.execute("a", Level.NORMAL, () -> {
			direct.execute("a", Level.NORMAL, () -> this.ran.add("n"));
			direct.execute("a", Level.HIGH, () -> this.ran.add("h"));
			this.ran.add("outer");
		});

		assertThat(this.ran).containsExactly("outer", "h", "n");
	}

	@Test
	void tasksStartWithAClearInterruptBitAndTheWorkerKeepsIt() {
		List<Boolean> seen = new ArrayList<>();
		this.executor.execute("a", Level.NORMAL, () -> Thread.currentThread().interrupt());
		this.executor.execute("a", Level.NORMAL, () -> seen.add(Thread.currentThread().isInterrupted()));
		this.workers.runAll();

		assertThat(seen).containsExactly(false);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void executorViewThrowsWhatRejectedTheTask() {
		this.workers.reject(true);
		TaskQueue queue = this.executor.queue("a");

		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> queue.asExecutor(Level.NORMAL).execute(() -> this.ran.add("never")))
			.withMessage("no workers");
		this.workers.reject(false);
		queue.asExecutor(Level.HIGH).execute(() -> this.ran.add("ran"));
		this.workers.runAll();
		assertThat(this.ran).containsExactly("ran");
	}

	@Test
	void executorViewDoesNotThrowWhatTheTaskItselfThrew() {
		SequentialLeveledTaskExecutor direct = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

		direct.queue("a").asExecutor(Level.NORMAL).execute(() -> {
			throw new RejectedExecutionException("the task's own");
		});
		assertThat(direct.snapshot(0).failed()).isEqualTo(1);
	}

	@Test
	void idleExecutorHoldsNoThread() throws InterruptedException {
		ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 1, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
		pool.allowCoreThreadTimeOut(true);
		SequentialLeveledTaskExecutor idle = SequentialLeveledTaskExecutor.builder(pool).build();
		for (int i = 0; i < 100; i++) {
			idle.submit("queue-" + i, Level.NORMAL, () -> 1).join();
		}

		await().untilAsserted(() -> assertThat(pool.getPoolSize()).isZero());
		pool.shutdown();
	}

	@Test
	void shutDownPoolFailsTasksInsteadOfLosingThem() {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		SequentialLeveledTaskExecutor orphan = SequentialLeveledTaskExecutor.builder(pool).build();
		pool.shutdown();

		assertThat(orphan.submit("a", Level.NORMAL, () -> 1)).isCompletedExceptionally();
		assertThat(orphan.removeQueue("a")).isCompleted();
	}

	@Test
	void poolStoppedWithAWorkerOnItsWayFailsNewTasksAtOnceAndOldOnesInTheEnd() throws InterruptedException {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		SequentialLeveledTaskExecutor orphan = SequentialLeveledTaskExecutor.builder(pool).build();
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		pool.execute(() -> {
			started.countDown();
			awaitUninterruptibly(finish);
		});
		started.await();
		LeveledTask<Integer> stranded = orphan.submit("a", Level.NORMAL, () -> 1);
		pool.shutdownNow();

		assertThat(orphan.submit("b", Level.NORMAL, () -> 2)).isCompletedExceptionally();
		assertThat(stranded).isNotDone();
		finish.countDown();
		assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThat(orphan.shutdown()).isCompleted();
		assertThat(catchThrowable(stranded::join)).hasCauseInstanceOf(RejectedExecutionException.class);
	}

	@Test
	void poolShutDownWithAWorkerOnItsWayStillRunsWhatItTook() throws InterruptedException {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		SequentialLeveledTaskExecutor draining = SequentialLeveledTaskExecutor.builder(pool).build();
		CountDownLatch finish = new CountDownLatch(1);
		pool.execute(() -> awaitUninterruptibly(finish));
		LeveledTask<Integer> taken = draining.submit("a", Level.NORMAL, () -> 1);
		pool.shutdown();
		LeveledTask<Integer> rejected = draining.submit("b", Level.NORMAL, () -> 2);
		finish.countDown();

		assertThat(rejected).isCompletedExceptionally();
		assertThat(taken.join()).isEqualTo(1);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		for (;;) {
			try {
				latch.await();
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
				return;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
	}

}
