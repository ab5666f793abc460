package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Removal drains, and its queue's next generation never overlaps the old one (promise 1);
 * after a shutdown a queue can still be removed with an action (promise 8).
 */
class RemovalTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final List<String> ran = new ArrayList<>();

	@Test
	void removalDrainsBothLevelsAndForgetsTheQueue() {
		submit("a", Level.NORMAL, "n");
		submit("a", Level.HIGH, "h");
		CompletableFuture<?> removed = this.executor.removeQueue("a");
		assertThat(removed).isNotDone();
		this.workers.runAll();

		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("h", "n");
		assertThat(this.executor.snapshot("a")).isEmpty();
		assertThat(this.executor.snapshot(0).queues()).isZero();
		assertThat(this.executor.snapshot(0).completed()).isEqualTo(2);
	}

	@Test
	void idleQueueIsRemovedAtOnceWithoutAWorker() {
		this.executor.addQueue("a");

		assertThat(this.executor.removeQueue("a")).isCompleted();
		assertThat(this.executor.removeQueue("unknown")).isCompleted();
		assertThat(this.workers.size()).isZero();
		assertThat(this.executor.snapshot(0).queues()).isZero();
	}

	@Test
	void tasksSubmittedAfterTheRemovalFormTheNextGeneration() {
		submit("a", Level.NORMAL, "old");
		CompletableFuture<?> removed = this.executor.removeQueue("a").thenRun(() -> this.ran.add("removed"));
		submit("a", Level.HIGH, "new");
		this.workers.runAll();

		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("old", "removed", "new");
		assertThat(this.executor.snapshot(0).queues()).isEqualTo(1);
	}

	@Test
	void nextGenerationWaitsForTheStageOfTheOldOne() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		this.executor.submitStage("a", Level.NORMAL, () -> stage);
		this.workers.runAll();
		CompletableFuture<?> removed = this.executor.removeQueue("a");
		submit("a", Level.NORMAL, "new");
		this.workers.runAll();

		assertThat(removed).isNotDone();
		assertThat(this.ran).isEmpty();
		stage.complete("done");
		this.workers.runAll();
		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("new");
	}

	@Test
	void generationThatDrainsIsSeenUntilItHasEnded() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		submit("a", Level.NORMAL, "old 1");
		this.executor.submitStage("a", Level.NORMAL, () -> stage);
		submit("a", Level.HIGH, "old 2");
		submit("a", Level.NORMAL, "old 3");
		this.workers.runAll();
		submit("a", Level.NORMAL, "old 4");
		this.executor.removeQueue("a");
		submit("a", Level.NORMAL, "new");

		assertThat(this.ran).containsExactly("old 2", "old 1");
		assertThat(this.executor.snapshot(0).completed()).isEqualTo(2);
		assertThat(this.executor.snapshot(0).waitingNormal()).isEqualTo(3);
		assertThat(this.executor.queue("a").snapshot().normal()).isEqualTo(3);
		stage.complete("done");
		this.workers.runAll();
		assertThat(this.executor.snapshot(0).completed()).isEqualTo(6);
		assertThat(this.executor.snapshot(0).waitingNormal()).isZero();
	}

	@Test
	void manyGenerationsRunInOrder() {
		List<CompletableFuture<?>> removals = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			submit("a", Level.NORMAL, "task " + i);
			removals.add(this.executor.removeQueue("a"));
		}
		this.workers.runAll();

		assertThat(removals).allSatisfy((removal) -> assertThat(removal).isCompleted());
		assertThat(this.ran).containsExactly("task 0", "task 1", "task 2", "task 3", "task 4");
		assertThat(this.executor.snapshot(0).queues()).isZero();
	}

	@Test
	void actionsRunLastInOrderAndBeforeTheNextGeneration() {
		submit("a", Level.NORMAL, "old");
		this.executor.removeQueue("a", () -> this.ran.add("first"));
		CompletableFuture<?> removed = this.executor.removeQueue("a", () -> this.ran.add("second"));
		submit("a", Level.NORMAL, "new");
		this.workers.runAll();

		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("old", "first", "second", "new");
	}

	@Test
	void throwingActionFailsTheRemovalAndNothingElse() {
		CompletableFuture<?> removed = this.executor.removeQueue("a", () -> {
			throw new IllegalStateException("broken");
		});
		submit("a", Level.NORMAL, "new");
		this.workers.runAll();

		assertThat(catchThrowable(removed::join)).hasRootCauseInstanceOf(IllegalStateException.class);
		assertThat(this.ran).containsExactly("new");
	}

	@Test
	void actionsThatThrowTheSameExceptionFailTheRemovalAndNothingElse() {
		IllegalStateException shared = new IllegalStateException("broken");
		Runnable broken = () -> {
			throw shared;
		};
		this.executor.removeQueue("a", broken);
		CompletableFuture<?> removed = this.executor.removeQueue("a", broken);
		submit("a", Level.NORMAL, "new");
		this.workers.runAll();

		assertThat(removed).isCompletedExceptionally();
		assertThat(this.ran).containsExactly("new");
	}

	@Test
	void removalDuringAnActionBelongsToTheNextGeneration() {
		Queue<Runnable> pool = new ConcurrentLinkedQueue<>();
		SequentialLeveledTaskExecutor parallel = SequentialLeveledTaskExecutor.builder(pool::add).build();
		Queue<String> order = new ConcurrentLinkedQueue<>();
		parallel.removeQueue("a", () -> {
			parallel.removeQueue("a", () -> order.add("second action"));
			parallel.execute("a", Level.NORMAL, () -> order.add("task"));
			CompletableFuture.runAsync(() -> runAll(pool), (other) -> new Thread(other).start()).join();
			order.add("first action");
		});
		runAll(pool);

		assertThat(order).containsExactly("first action", "second action", "task");
		assertThat(parallel.snapshot(0).queues()).isEqualTo(1);
	}

	@Test
	void actionStartsWithAClearInterruptBit() {
		List<Boolean> seen = new ArrayList<>();
		this.executor.execute("a", Level.NORMAL, () -> Thread.currentThread().interrupt());
		this.executor.removeQueue("a", () -> seen.add(Thread.currentThread().isInterrupted()));
		this.workers.runAll();

		assertThat(Thread.interrupted()).isTrue();
		assertThat(seen).containsExactly(false);
	}

	@Test
	void handleStaysValidOverRemovals() {
		TaskQueue queue = this.executor.queue("a");
		for (int i = 0; i < 3; i++) {
			String name = "task " + i;
			queue.execute(Level.NORMAL, () -> this.ran.add(name));
			this.workers.runAll();
			assertThat(queue.remove()).isCompleted();
		}

		assertThat(this.ran).containsExactly("task 0", "task 1", "task 2");
		assertThat(this.executor.snapshot(0).queues()).isZero();
	}

	@Test
	void actionIsAcceptedAfterShutdownAndRunsEvenWithoutWorkers() {
		this.executor.shutdown();
		this.executor.removeQueue("a", () -> this.ran.add("with workers"));
		this.workers.runAll();
		this.workers.reject(true);
		CompletableFuture<?> removed = this.executor.removeQueue("b", () -> this.ran.add("without"));

		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("with workers", "without");
		assertThat(this.executor.snapshot(0).queues()).isZero();
	}

	@Test
	void shutdownDrainsAndRejectsNewTasks() {
		submit("a", Level.NORMAL, "1");
		CompletableFuture<?> end = this.executor.shutdown();
		LeveledTask<?> rejected = this.executor.submit("a", Level.NORMAL, () -> 1);
		LeveledTask<?> elsewhere = this.executor.submit("b", Level.NORMAL, () -> 1);

		assertThat(end).isNotDone();
		assertThat(catchThrowable(rejected::join)).hasCauseInstanceOf(RejectedExecutionException.class)
			.cause()
			.hasMessageContaining("shut down");
		assertThat(elsewhere).isCompletedExceptionally();
		this.workers.runAll();
		assertThat(end).isCompleted();
		assertThat(this.ran).containsExactly("1");
		assertThat(this.executor.snapshot(0).queues()).isZero();
	}

	/** Whoever is told so, and finds no queue of that id, makes another one. */
	@Test
	void theNextGenerationHasItsPlaceBeforeAnybodyIsToldThatItsPredecessorHasEnded() {
		SequentialQueue sealed = this.executor.queues.live("a");
		Seal seal = Objects.requireNonNull(sealed.seal(() -> {
		}));
		SequentialQueue next = sealed.successor();
		seal.endSuccession((placed) -> {
			this.ran.add("placed");
			assertThat(placed).isSameAs(next);
			assertThat(sealed.successor()).isSameAs(next);
		});

		assertThat(this.ran).containsExactly("placed");
		assertThat(sealed.successor()).isNull();
	}

	@Test
	void theNextGenerationGetsItsPlaceThoughWhoMadeItIsHeldUp() {
		submit("a", Level.NORMAL, "old");
		SequentialQueue sealed = this.executor.queues.live("a");
		this.executor.removeQueue("a");
		SequentialQueue next = sealed.successor();
		this.workers.runAll();

		assertThat(this.executor.queues.live("a")).isSameAs(next);
		assertThat(this.ran).containsExactly("old");
	}

	@Test
	void pauseAfterShutdownHoldsNothingUp() {
		submit("a", Level.NORMAL, "1");
		CompletableFuture<?> end = this.executor.shutdown();
		this.executor.queue("a").pause();
		this.workers.runAll();

		assertThat(end).isCompleted();
		assertThat(this.ran).containsExactly("1");
	}

	private static void runAll(Queue<Runnable> pool) {
		for (Runnable worker = pool.poll(); worker != null; worker = pool.poll()) {
			worker.run();
		}
	}

	private void submit(String id, Level level, String name) {
		this.executor.execute(id, level, () -> this.ran.add(name));
	}

}
