package dev.sluice.execution;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Vert.x's tests ask of a task queue whose tasks can be suspended and resumed, asked
 * of stages, pauses and removals: whoever resumes, and whenever, the queue goes on once.
 */
class VertxTaskQueueContractTests {

	private static final int ROUNDS = 2_000;

	private final ManualWorkers workers = new ManualWorkers();

	private final TaskQueue queue = SequentialLeveledTaskExecutor.builder(this.workers).build().queue("a");

	private final ExecutorService pool = Executors.newFixedThreadPool(2);

	private final List<String> ran = new CopyOnWriteArrayList<>();

	@AfterEach
	void stopPool() {
		this.pool.shutdownNow();
	}

	@Test
	void stageThatEndsInsideItsOwnBodyDoesNotSuspend() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		this.queue.submitStage(Level.NORMAL, () -> {
			this.ran.add("body");
			stage.complete("early");
			return stage;
		}).thenRun(() -> this.ran.add("resumed"));
		submit("next");
		this.workers.runOne();

		assertThat(this.ran).containsExactly("body", "resumed", "next");
	}

	@Test
	void stageMayBeEndedByATaskOfAnotherQueueOnTheSameWorker() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();
		executor.submitStage("a", Level.NORMAL, () -> stage);
		executor.execute("a", Level.NORMAL, () -> this.ran.add("next"));
		executor.execute("b", Level.NORMAL, () -> {
			stage.complete("done");
			this.ran.add("other");
		});
		this.workers.runOne();

		assertThat(this.ran).as("served by the worker that is there").containsExactly("other", "next");
	}

	@Test
	void stageOfAnIdleQueueEndsAndLeavesItIdle() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> suspended = this.queue.submitStage(Level.NORMAL, () -> stage);
		this.workers.runAll();
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.HELD);
		stage.complete("done");
		this.workers.runAll();

		assertThat(suspended).isCompletedWithValue("done");
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.IDLE);
	}

	@Test
	void pausesDoNotAddUp() {
		this.queue.pause();
		this.queue.pause();
		submit("1");
		this.queue.resume();
		this.workers.runAll();

		assertThat(this.ran).containsExactly("1");
	}

	@Test
	void taskMayPauseItsQueueAndAnotherThreadResumeItBeforeTheTaskEnds() {
		this.queue.execute(Level.NORMAL, () -> {
			this.queue.pause();
			CompletableFuture.runAsync(this.queue::resume, this.pool).join();
		});
		submit("next");
		this.workers.runOne();

		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void stageThatEndsWhileItsWorkerLetsGoHandsTheQueueOnOnce() throws Exception {
		TaskQueue raced = SequentialLeveledTaskExecutor.builder(this.pool).queueCapacity(4 * ROUNDS).build().queue("a");
		int[] unguarded = new int[1];
		LeveledTask<?> last = null;
		for (int i = 0; i < ROUNDS; i++) {
			raced.submitStage(Level.NORMAL, () -> CompletableFuture.supplyAsync(() -> 1, this.pool));
			last = raced.execute(Level.NORMAL, () -> unguarded[0]++);
		}
		last.get(30, TimeUnit.SECONDS);

		assertThat(unguarded[0]).isEqualTo(ROUNDS);
	}

	@Test
	void pausesFromManyThreadsStrandNothing() throws Exception {
		TaskQueue raced = SequentialLeveledTaskExecutor.builder(this.pool).queueCapacity(4 * ROUNDS).build().queue("a");
		CompletableFuture<?>[] pausing = new CompletableFuture<?>[2];
		for (int thread = 0; thread < pausing.length; thread++) {
			pausing[thread] = CompletableFuture.runAsync(() -> {
				for (int i = 0; i < ROUNDS; i++) {
					raced.pause();
					raced.execute(Level.NORMAL, () -> {
					});
					raced.resume();
				}
			}, (body) -> new Thread(body).start());
		}
		CompletableFuture.allOf(pausing).get(30, TimeUnit.SECONDS);
		raced.submit(Level.NORMAL, () -> 1).get(30, TimeUnit.SECONDS);

		assertThat(raced.snapshot().waiting()).isZero();
	}

	@Test
	void removalWhileAStageHoldsTheQueueEndsWithIt() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		this.queue.submitStage(Level.NORMAL, () -> stage);
		this.workers.runAll();
		CompletableFuture<?> removed = this.queue.remove(() -> this.ran.add("closed"));
		this.workers.runAll();
		assertThat(removed).isNotDone();
		stage.completeExceptionally(new IllegalStateException("lost"));
		this.workers.runAll();

		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("closed");
	}

	@Test
	void rejectedTaskIsNotInTheQueueAndItsSuspendedNeighbourIs() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		LeveledTask<String> suspended = this.queue.submitStage(Level.NORMAL, () -> stage);
		this.workers.runAll();
		this.workers.reject(true);
		submit("waits for the stage");
		assertThat(this.queue.snapshot().waiting()).as("no worker was asked for").isOne();
		this.workers.reject(false);
		stage.complete("done");
		this.workers.runAll();

		assertThat(suspended).isCompletedWithValue("done");
		assertThat(this.ran).containsExactly("waits for the stage");
	}

	private void submit(String name) {
		this.queue.execute(Level.NORMAL, () -> this.ran.add(name));
	}

}
