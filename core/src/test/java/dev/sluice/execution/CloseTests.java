package dev.sluice.execution;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Promise 8: close stops the intake and drains, bounded in time, and leaves the pool
 * alone.
 */
class CloseTests {

	private final ExecutorService pool = Executors.newFixedThreadPool(2);

	@AfterEach
	void stopPool() {
		this.pool.shutdownNow();
	}

	@Test
	void closeWaitsForWhatWasAccepted() {
		CompletableFuture<Integer> stage = new CompletableFuture<>();
		LeveledTask<Integer> held;
		LeveledTask<Integer> waiting;
		try (SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.pool).build()) {
			held = executor.submitStage("a", Level.NORMAL, () -> stage);
			waiting = executor.submit("a", Level.NORMAL, () -> 2);
			executor.execute("b", Level.NORMAL, () -> stage.complete(1));
		}

		assertThat(held).isCompletedWithValue(1);
		assertThat(waiting).isCompletedWithValue(2);
		assertThat(this.pool.isShutdown()).isFalse();
	}

	@Test
	void closeCancelsWhatStillWaitsWhenItsTimeIsUp() {
		CompletableFuture<Integer> never = new CompletableFuture<>();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.pool)
			.closeTimeout(Duration.ofMillis(5))
			.build();
		LeveledTask<Integer> held = executor.submitStage("a", Level.NORMAL, () -> never);
		LeveledTask<Integer> waiting = executor.submit("a", Level.NORMAL, () -> 2);
		executor.close();

		assertThat(waiting).isCancelled();
		assertThat(held).isNotDone();
	}

	@Test
	void interruptedCloseCancelsWhatStillWaits() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(new ManualWorkers()).build();
		LeveledTask<Integer> waiting = executor.submit("a", Level.NORMAL, () -> 2);
		Thread.currentThread().interrupt();
		executor.close();

		assertThat(Thread.interrupted()).isTrue();
		assertThat(waiting).isCancelled();
	}

	@Test
	void closeInsideATaskThrows() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		LeveledTask<?> task = executor.execute("a", Level.NORMAL,
				() -> assertThatIllegalStateException().isThrownBy(executor::close)
					.withMessageContaining("call shutdown() from a task instead"));

		assertThat(task).isCompleted();
	}

}
