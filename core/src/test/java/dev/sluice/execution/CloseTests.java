package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

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
	void drainWaitsForHighTasksThatNormalOnesMayPass() {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(workers)
			.maxConsecutiveHigh(2)
			.build();
		List<String> ran = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			executor.execute("a", Level.HIGH, () -> ran.add("high"));
		}
		executor.drain().thenRun(() -> ran.add("drained"));
		workers.runAll();

		assertThat(ran).containsExactly("high", "high", "high", "drained");
	}

	@Test
	void drainDoesNotWaitForHighTasksThatComeLater() {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(workers).build();
		List<String> ran = new ArrayList<>();
		executor.execute("a", Level.HIGH, () -> ran.add("before"));
		executor.drain().thenRun(() -> ran.add("drained"));
		executor.execute("a", Level.HIGH, () -> ran.add("after"));
		workers.runAll();

		assertThat(ran).containsExactly("before", "drained", "after");
	}

	@Test
	void drainTakesNoTurnOfTheTaskThatHighOnesLetPass() {
		ManualWorkers workers = new ManualWorkers();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(workers)
			.maxConsecutiveHigh(2)
			.build();
		List<String> ran = new ArrayList<>();
		LeveledTask<?> cancelled = executor.execute("a", Level.NORMAL, () -> ran.add("cancelled"));
		executor.execute("a", Level.HIGH, () -> ran.add("high 1"));
		executor.execute("a", Level.HIGH, () -> ran.add("high 2"));
		executor.drain();
		cancelled.cancel(false);
		executor.execute("a", Level.NORMAL, () -> ran.add("normal"));
		executor.execute("a", Level.HIGH, () -> ran.add("high 3"));
		workers.runAll();

		assertThat(ran).containsExactly("high 1", "high 2", "normal", "high 3");
	}

	@Test
	void drainWaitsForANormalTaskThatStartsMeanwhile() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.pool).build();
		for (int round = 0; round < 10_000; round++) {
			AtomicBoolean goOn = new AtomicBoolean();
			executor.execute("a", Level.NORMAL, () -> spinUntil(goOn::get));
			LeveledTask<?> last = executor.execute("a", Level.NORMAL, () -> spin(2_000));

			goOn.set(true);
			spin(round % 100);
			executor.drain().join();

			assertThat(last).as("The last task of round %s", round).isDone();
		}
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
		await().until(() -> executor.queue("a").snapshot().state() == QueueState.HELD);
		executor.close();

		assertThat(waiting).isCancelled();
		assertThat(held).isNotDone();
	}

	@Test
	void closeCancelsWhatStillWaitsInEarlierGenerations() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.pool)
			.closeTimeout(Duration.ofMillis(5))
			.build();
		executor.submitStage("a", Level.NORMAL, () -> new CompletableFuture<Integer>());
		LeveledTask<Integer> earlier = executor.submit("a", Level.NORMAL, () -> 1);
		executor.removeQueue("a");
		LeveledTask<Integer> later = executor.submit("a", Level.NORMAL, () -> 2);
		executor.close();

		assertThat(earlier).isCancelled();
		assertThat(later).isCancelled();
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

	private static void spin(int times) {
		for (int i = 0; i < times; i++) {
			Thread.onSpinWait();
		}
	}

	private static void spinUntil(BooleanSupplier condition) {
		while (!condition.getAsBoolean()) {
			Thread.onSpinWait();
		}
	}

}
