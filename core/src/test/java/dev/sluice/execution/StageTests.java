package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Asynchronous tasks hold their queue until their stage ends, without a thread.
 */
class StageTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final List<String> ran = new ArrayList<>();

	@Test
	void nextTaskWaitsForTheStageAndNoWorkerDoes() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> task = this.executor.submitStage("a", Level.NORMAL, () -> stage);
		submit("next");
		this.workers.runAll();

		assertThat(this.ran).isEmpty();
		assertThat(this.workers.size()).isZero();
		assertThat(this.executor.queue("a").snapshot().state()).isEqualTo(QueueState.HELD);
		stage.complete("done");
		assertThat(task).isCompletedWithValue("done");
		assertThat(this.ran).as("the queue goes to a worker, not to the completing thread").isEmpty();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void completedStageDoesNotHoldTheQueue() {
		LeveledTask<Integer> task = this.executor.submitStage("a", Level.NORMAL,
				() -> CompletableFuture.completedFuture(1));
		submit("next");
		this.workers.runOne();

		assertThat(task).isCompletedWithValue(1);
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void failedStageFailsTheTaskWithItsCause() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> task = this.executor.submitStage("a", Level.NORMAL,
				() -> stage.thenApply((value) -> value));
		submit("next");
		this.workers.runAll();
		stage.completeExceptionally(new IllegalStateException("broken"));
		this.workers.runAll();

		assertThat(catchThrowable(task::join)).isInstanceOf(CompletionException.class)
			.hasCauseInstanceOf(IllegalStateException.class);
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void bodyThatThrowsOrReturnsNoStageFailsTheTaskOnly() {
		LeveledTask<String> throwing = this.executor.submitStage("a", Level.NORMAL, () -> {
			throw new IllegalStateException("broken");
		});
		LeveledTask<String> nothing = this.executor.submitStage("a", Level.NORMAL, StageTests::noStage);
		submit("next");
		this.workers.runAll();

		assertThat(catchThrowable(throwing::join)).hasCauseInstanceOf(IllegalStateException.class);
		assertThat(catchThrowable(nothing::join)).cause().hasMessage("The task of queue 'a' returned no stage");
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void cancelDoesNotReleaseAQueueThatAStageHolds() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> task = this.executor.submitStage("a", Level.NORMAL, () -> stage);
		submit("next");
		this.workers.runAll();

		assertThat(task.cancel(true)).isFalse();
		this.workers.runAll();
		assertThat(this.ran).isEmpty();
		stage.complete("done");
		this.workers.runAll();
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void dependentsRunOnTheThreadThatEndsTheStageBeforeTheQueueGoesOn() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		this.executor.submitStage("a", Level.NORMAL, () -> stage).thenRun(() -> this.ran.add("dependent"));
		submit("next");
		this.workers.runAll();
		stage.complete("done");

		assertThat(this.ran).containsExactly("dependent");
		this.workers.runAll();
		assertThat(this.ran).containsExactly("dependent", "next");
	}

	@Test
	void stageOfAPausedQueueEndsItsTaskAndTheQueueStaysPaused() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> task = this.executor.submitStage("a", Level.NORMAL, () -> stage);
		submit("next");
		this.workers.runAll();
		this.executor.queue("a").pause();
		stage.complete("done");
		this.workers.runAll();

		assertThat(task).isCompletedWithValue("done");
		assertThat(this.ran).isEmpty();
		this.executor.queue("a").resume();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void longChainOfCompletedStagesDoesNotRecurse() {
		LeveledTask<Integer> last = null;
		for (int i = 0; i < 1_000; i++) {
			int value = i;
			last = this.executor.submitStage("a", Level.NORMAL, () -> CompletableFuture.completedFuture(value));
		}
		this.workers.runAll();

		assertThat(last).isCompletedWithValue(999);
	}

	private LeveledTask<@Nullable Void> submit(String name) {
		return this.executor.execute("a", Level.NORMAL, () -> this.ran.add(name));
	}

	@SuppressWarnings("NullAway")
	private static CompletableFuture<String> noStage() {
		return null;
	}

}
