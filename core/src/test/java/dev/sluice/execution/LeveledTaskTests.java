package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Promises 4 and 5: a task ends exactly once, a throwing one never stops its queue, and
 * cancelling takes a waiting task out at once and leaves a running one alone.
 */
class LeveledTaskTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final List<String> ran = new ArrayList<>();

	@Test
	void endsWithTheResult() {
		LeveledTask<Integer> task = this.executor.submit("a", Level.NORMAL, () -> 42);
		assertThat(task).isNotDone();
		this.workers.runAll();

		assertThat(task).isCompletedWithValue(42);
		assertThat(task.level()).isEqualTo(Level.NORMAL);
		assertThat(this.executor.snapshot(0).completed()).isEqualTo(1);
	}

	@Test
	void endsWithTheExceptionOfItsBodyAndTheQueueGoesOn() {
		LeveledTask<Integer> exception = this.executor.submit("a", Level.NORMAL, () -> {
			throw new IllegalStateException("broken");
		});
		LeveledTask<@Nullable Void> error = this.executor.execute("a", Level.NORMAL, () -> {
			throw new AssertionError("worse");
		});
		LeveledTask<Integer> next = this.executor.submit("a", Level.NORMAL, () -> 1);
		this.workers.runAll();

		assertThat(catchThrowable(exception::join)).hasCauseInstanceOf(IllegalStateException.class);
		assertThat(catchThrowable(error::join)).hasCauseInstanceOf(AssertionError.class);
		assertThat(next).isCompletedWithValue(1);
		assertThat(this.executor.snapshot(0).failed()).isEqualTo(2);
	}

	@Test
	void cancelTakesAWaitingTaskOutAtOnce() {
		LeveledTask<@Nullable Void> first = submit("1");
		LeveledTask<@Nullable Void> second = submit("2");

		assertThat(first.cancel(true)).isTrue();
		assertThat(this.executor.snapshot("a")).hasValueSatisfying((queue) -> assertThat(queue.normal()).isEqualTo(1));
		this.workers.runAll();

		assertThat(first).isCancelled();
		assertThat(first.cancel(true)).isTrue();
		assertThat(second).isCompleted();
		assertThat(this.ran).containsExactly("2");
		assertThat(this.executor.snapshot(0).cancelled()).isEqualTo(1);
	}

	@Test
	void cancelOfARunningTaskIsRejectedAndDoesNotInterruptIt() {
		List<LeveledTask<Boolean>> self = new ArrayList<>();
		List<Boolean> answers = new ArrayList<>();
		self.add(this.executor.submit("a", Level.NORMAL, () -> {
			answers.add(self.get(0).cancel(true));
			answers.add(self.get(0).complete(false));
			answers.add(self.get(0).completeExceptionally(new IllegalStateException()));
			return Thread.currentThread().isInterrupted();
		}));
		this.workers.runAll();

		assertThat(answers).containsExactly(false, false, false);
		assertThat(self.get(0)).isCompletedWithValue(false);
	}

	@Test
	void cancelOfAFinishedTaskIsRejected() {
		LeveledTask<@Nullable Void> task = submit("1");
		this.workers.runAll();

		assertThat(task.cancel(false)).isFalse();
		assertThat(task).isCompleted();
	}

	@Test
	void completionFromOutsideBeforeTheStartTakesTheTaskOut() {
		LeveledTask<Integer> completed = this.executor.submit("a", Level.NORMAL, () -> 1);
		LeveledTask<Integer> failed = this.executor.submit("a", Level.HIGH, () -> 2);
		assertThat(completed.complete(7)).isTrue();
		assertThat(failed.completeExceptionally(new IllegalStateException("outside"))).isTrue();
		this.workers.runAll();

		assertThat(completed).isCompletedWithValue(7);
		assertThat(failed).isCompletedExceptionally();
		assertThat(this.executor.snapshot(0).cancelled()).isEqualTo(2);
		assertThat(this.executor.snapshot(0).completed()).isZero();
	}

	@Test
	void taskThatIsDroppedFromOutsideCountsAsDropped() {
		LeveledTask<Integer> task = this.executor.submit("a", Level.NORMAL, () -> 1);

		task.completeExceptionally(new TaskDroppedException("a", OverflowStrategy.DROP_OLDEST));

		assertThat(this.executor.snapshot(0).dropped()).isEqualTo(1);
		assertThat(this.executor.snapshot(0).cancelled()).isZero();
	}

	@Test
	void orTimeoutTakesAWaitingTaskOut() {
		LeveledTask<@Nullable Void> task = submit("1");
		task.orTimeout(1, TimeUnit.MILLISECONDS);

		await().until(task::isCompletedExceptionally);
		assertThat(this.executor.snapshot("a")).hasValueSatisfying((queue) -> assertThat(queue.waiting()).isZero());
	}

	@Test
	void completeAsyncTakesAWaitingTaskOutWhenTheValueIsThere() {
		LeveledTask<Integer> task = this.executor.submit("a", Level.NORMAL, () -> 1);
		LeveledTask<Integer> started = this.executor.submit("b", Level.NORMAL, () -> 1);
		task.completeAsync(() -> 5, Runnable::run);
		this.workers.runAll();
		started.completeAsync(() -> 5, Runnable::run);

		assertThat(task).isCompletedWithValue(5);
		assertThat(started).isCompletedWithValue(1);
	}

	@Test
	void outcomeCannotBeObtruded() {
		LeveledTask<@Nullable Void> task = submit("1");

		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> task.obtrudeValue(null));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> task.obtrudeException(new IllegalStateException()));
	}

	@Test
	void cancellingADependentDoesNotCancelTheTask() {
		LeveledTask<Integer> task = this.executor.submit("a", Level.NORMAL, () -> 1);
		CompletableFuture<Integer> dependent = task.thenApply((value) -> value + 1);
		dependent.cancel(false);
		this.workers.runAll();

		assertThat(dependent).isNotInstanceOf(LeveledTask.class);
		assertThat(task).isCompletedWithValue(1);
	}

	@Test
	void dependentsRunBeforeTheNextTaskOfTheQueue() {
		LeveledTask<@Nullable Void> first = submit("1");
		first.thenRun(() -> this.ran.add("after 1"));
		submit("2");
		this.workers.runAll();

		assertThat(this.ran).containsExactly("1", "after 1", "2");
	}

	@Test
	void throwingDependentHurtsOnlyItself() {
		LeveledTask<@Nullable Void> first = submit("1");
		CompletableFuture<Void> dependent = first.thenRun(() -> {
			throw new IllegalStateException("dependent");
		});
		submit("2");
		this.workers.runAll();

		assertThat(dependent).isCompletedExceptionally();
		assertThat(this.ran).containsExactly("1", "2");
	}

	@Test
	void deadTasksAreUnlinkedWhileTheQueueRests() {
		TaskQueue queue = this.executor.queue("a");
		queue.pause();
		submit("kept");
		for (int i = 0; i < 10_000; i++) {
			submit("dead").cancel(false);
		}

		assertThat(this.executor.queue("a").snapshot().waiting()).isEqualTo(1);
		assertThat(this.executor.queues.live("a").owner.waitingTasks((task) -> true).size()).isLessThanOrEqualTo(66);
		queue.resume();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("kept");
	}

	@Test
	void joinTellsOfTheCancellation() {
		LeveledTask<@Nullable Void> task = submit("1");
		task.cancel(false);

		assertThatExceptionOfType(CancellationException.class).isThrownBy(task::join);
	}

	private LeveledTask<@Nullable Void> submit(String name) {
		return this.executor.execute("a", Level.NORMAL, () -> this.ran.add(name));
	}

}
