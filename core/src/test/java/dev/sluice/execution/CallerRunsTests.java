package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A submitter that finds its queue idle runs the task itself, in the queue's turn. */
class CallerRunsTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
		.maxConsecutiveHigh(2)
		.build();

	private final TaskQueue queue = this.executor.queue("a");

	private final List<String> ran = new ArrayList<>();

	@ParameterizedTest
	@EnumSource
	void theTaskHasRunWhenTheCallReturnsAndNoWorkerIsSent(Level level) {
		for (int i = 0; i < 3; i++) {
			assertThat(this.queue.runOrSubmit(level, () -> Thread.currentThread()))
				.isCompletedWithValue(Thread.currentThread());
		}
		assertThat(this.workers.size()).isZero();
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.IDLE);
		assertThat(this.executor.snapshot(0).completed()).isEqualTo(3);
	}

	@Test
	void theQueueCountsAsRunningMeanwhile() {
		this.queue.runOrSubmit(Level.NORMAL, () -> {
			assertThat(this.queue.snapshot()).returns(QueueState.RUNNING, QueueSnapshot::state)
				.returns(0, QueueSnapshot::waiting);
			assertThat(this.executor.snapshot(0).running()).isEqualTo(1);
			return assertThat(this.executor.isWorker()).isTrue();
		}).join();
		assertThat(this.executor.isWorker()).isFalse();
	}

	@Test
	void whatRunsOrWaitsInTheQueueComesFirst() {
		submit("waiting");
		LeveledTask<?> task = run("task");
		assertThat(this.ran).isEmpty();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("waiting", "task");
		assertThat(task).isCompleted();
	}

	@Test
	void whatIsSubmittedMeanwhileIsLeftToAWorkerInItsOrder() {
		this.queue.runOrSubmit(Level.NORMAL, () -> {
			submit("2");
			this.queue.execute(Level.HIGH, () -> this.ran.add("high"));
			run("3");
			return this.ran.add("1");
		});
		assertThat(this.ran).containsExactly("1");
		assertThat(this.queue.snapshot()).returns(QueueState.WAITING, QueueSnapshot::state)
			.returns(3, QueueSnapshot::waiting);
		this.workers.runAll();
		assertThat(this.ran).containsExactly("1", "high", "2", "3");
	}

	@Test
	void aTaskOfTheExecutorLeavesItToAWorker() {
		TaskQueue other = this.executor.queue("b");
		this.queue.runOrSubmit(Level.NORMAL, () -> assertThat(other.runOrSubmit(Level.NORMAL, () -> 1)).isNotDone());
		this.workers.runAll();
		assertThat(this.executor.snapshot(0).completed()).isEqualTo(2);
	}

	@Test
	void aPausedQueueKeepsItUntilItIsResumed() {
		this.queue.pause();
		LeveledTask<?> task = run("task");
		assertThat(task).isNotDone();
		assertThat(this.queue.snapshot()).returns(QueueState.PAUSED, QueueSnapshot::state)
			.returns(1, QueueSnapshot::waiting);
		this.queue.resume();
		this.workers.runAll();
		assertThat(task).isCompleted();
	}

	@Test
	void aPauseByTheTaskHoldsTheNext() {
		this.queue.runOrSubmit(Level.NORMAL, () -> {
			this.queue.pause();
			return submit("next");
		});
		this.workers.runAll();
		assertThat(this.ran).isEmpty();
		this.queue.resume();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void aStageHoldsTheQueueAndNotTheCaller() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> task = this.queue.runOrSubmitStage(Level.NORMAL, () -> stage);
		LeveledTask<?> next = run("next");
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.HELD);
		stage.complete("done");
		assertThat(task).isCompletedWithValue("done");
		this.workers.runAll();
		assertThat(next).isCompleted();
	}

	@Test
	void aStageThatHasEndedHoldsNothing() {
		assertThat(this.queue.runOrSubmitStage(Level.NORMAL, () -> CompletableFuture.completedFuture(1)))
			.isCompletedWithValue(1);
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.IDLE);
		assertThat(this.workers.size()).isZero();
	}

	@Test
	void aFailureIsTheTasksOwn() {
		assertThat(this.queue.<Object>runOrSubmit(Level.NORMAL, () -> {
			throw new AssertionError("the task's");
		}).handle((result, failure) -> failure)).isCompletedWithValueMatching(AssertionError.class::isInstance);
		assertThat(run("next")).isCompleted();
	}

	@Test
	void removalByTheTaskEndsOnAWorkerBehindIt() {
		AtomicReference<CompletableFuture<?>> removed = new AtomicReference<>();
		this.queue.runOrSubmit(Level.NORMAL, () -> {
			removed.set(this.queue.remove(() -> this.ran.add("lastly")));
			return this.ran.add("task");
		});
		run("next generation");
		assertThat(this.ran).containsExactly("task");
		this.workers.runAll();
		assertThat(removed.get()).isCompleted();
		assertThat(this.ran).containsExactly("task", "lastly", "next generation");
	}

	@Test
	void drainAndShutdownWaitForIt() {
		AtomicReference<CompletableFuture<?>> drained = new AtomicReference<>();
		AtomicReference<CompletableFuture<?>> shutdown = new AtomicReference<>();
		this.queue.runOrSubmit(Level.NORMAL, () -> {
			drained.set(this.executor.drain());
			shutdown.set(this.executor.shutdown());
			assertThatIllegalStateException().isThrownBy(this.executor::close);
			return assertThat(CompletableFuture.anyOf(drained.get(), shutdown.get())).isNotDone();
		}).join();
		this.workers.runAll();
		assertThat(drained.get()).isCompleted();
		assertThat(shutdown.get()).isCompleted();
		assertThat(run("late")).isCompletedExceptionally();
		assertThat(this.ran).isEmpty();
	}

	@Test
	void whereThePoolRejectsOnlyWhatWaitsForAWorkerFails() {
		this.workers.reject(true);
		AtomicReference<LeveledTask<?>> next = new AtomicReference<>();
		LeveledTask<?> task = this.queue.runOrSubmit(Level.NORMAL, () -> {
			next.set(submit("next"));
			return 1;
		});
		assertThat(task).isCompleted();
		assertThat(next.get()).failsWithin(0, TimeUnit.SECONDS)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(RejectedExecutionException.class);
		assertThat(run("again")).isCompleted();
	}

	@Test
	void aWorkerThatIsRunAtOnceServesOtherQueuesWhenTheTaskHasReturned() {
		SequentialLeveledTaskExecutor direct = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		direct.queue("a").runOrSubmit(Level.NORMAL, () -> {
			direct.execute("b", Level.NORMAL, () -> this.ran.add("other"));
			return this.ran.add("task");
		});
		assertThat(this.ran).containsExactly("task", "other");
	}

	@Test
	void theCallersInterruptStatusIsKeptFromTheTaskAndGivenBack() {
		Thread.currentThread().interrupt();
		assertThat(this.queue.runOrSubmit(Level.NORMAL, () -> Thread.currentThread().isInterrupted()))
			.isCompletedWithValue(false);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void aFullQueueRejectsIt() {
		SequentialLeveledTaskExecutor small = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.build();
		small.execute("a", Level.NORMAL, () -> {
		});
		assertThat(small.queue("a").runOrSubmit(Level.NORMAL, () -> 1)).isCompletedExceptionally();
	}

	@Test
	void noMoreRunAtATimeThanMay() {
		SequentialLeveledTaskExecutor bounded = SequentialLeveledTaskExecutor.builder(this.workers)
			.maxConcurrency(2)
			.build();
		List<LeveledTask<?>> left = new ArrayList<>();
		bounded.queue("a").runOrSubmit(Level.NORMAL, () -> {
			inAnotherThread(() -> bounded.queue("b").runOrSubmit(Level.NORMAL, () -> {
				inAnotherThread(() -> left.add(bounded.queue("c").runOrSubmit(Level.NORMAL, () -> this.ran.add("c"))));
				this.workers.runAll();
				return assertThat(left.get(0)).isNotDone();
			})).join();
			return this.ran.add("a");
		}).join();
		assertThat(this.ran).containsExactly("a");
		this.workers.runAll();
		assertThat(this.ran).containsExactly("a", "c");
	}

	@Test
	void theLastPlaceIsForAWorkerWhileAnyQueueWaits() {
		SequentialLeveledTaskExecutor bounded = SequentialLeveledTaskExecutor.builder(this.workers)
			.maxConcurrency(1)
			.build();
		bounded.execute("a", Level.NORMAL, () -> this.ran.add("a"));
		LeveledTask<?> task = bounded.queue("b").runOrSubmit(Level.NORMAL, () -> this.ran.add("b"));
		assertThat(task).isNotDone();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("a", "b");
		assertThat(bounded.queue("b").runOrSubmit(Level.NORMAL, () -> 1)).isDone();
	}

	@Test
	void queuesForWhichThereIsNoPlaceCountAsWaitingForAWorker() {
		AtomicLong time = new AtomicLong();
		SequentialLeveledTaskExecutor bounded = SequentialLeveledTaskExecutor.builder(this.workers)
			.clock(time::get)
			.maxConcurrency(1)
			.build();
		bounded.queue("a").runOrSubmit(Level.NORMAL, () -> {
			bounded.execute("b", Level.NORMAL, () -> this.ran.add("b"));
			inAnotherThread(this.workers::runOne);
			time.addAndGet(Duration.ofSeconds(3).toNanos());
			return assertThat(bounded.snapshot(0).workerWait()).isEqualTo(Duration.ofSeconds(3));
		}).join();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("b");
		assertThat(bounded.snapshot(0).workerWait()).isZero();
	}

	private static <T> T inAnotherThread(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task).join();
	}

	private LeveledTask<?> submit(String name) {
		return this.queue.execute(Level.NORMAL, () -> this.ran.add(name));
	}

	private LeveledTask<?> run(String name) {
		return this.queue.runOrSubmit(Level.NORMAL, () -> this.ran.add(name));
	}

}
