package dev.sluice.execution;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A task that waits for a later one of its own queue fails instead of hanging. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class OwnQueueWaitTests {

	private final ExecutorService pool = Executors.newCachedThreadPool();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.pool).build();

	private final TaskQueue queue = this.executor.queue("a");

	@AfterEach
	void stop() {
		this.pool.shutdownNow();
	}

	@Test
	void joinOfALaterTaskOfTheSameQueueThrows() {
		LeveledTask<@Nullable Throwable> outer = this.queue.submit(Level.NORMAL,
				() -> catchThrowable(this.queue.submit(Level.HIGH, () -> 1)::join));

		assertRefused(outer);
	}

	@Test
	void getOfALaterTaskOfTheSameQueueThrowsAndTheTaskStillRuns() {
		CompletableFuture<Integer> later = new CompletableFuture<>();
		LeveledTask<@Nullable Throwable> outer = this.executor.submit("a", Level.NORMAL,
				() -> catchThrowable(this.executor.submit("a", Level.NORMAL, () -> later.complete(1))::get));

		assertRefused(outer);
		assertThat(later).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(1);
	}

	@Test
	void submitterInThePlaceOfAWorkerIsRefusedToo() {
		assertRefused(this.queue.runOrSubmit(Level.NORMAL,
				() -> catchThrowable(this.queue.submit(Level.NORMAL, () -> 1)::join)));
	}

	@Test
	void dependentThatRunsBeforeTheNextTaskIsRefused() {
		CountDownLatch ready = new CountDownLatch(1);
		LeveledTask<Boolean> outer = this.queue.submit(Level.NORMAL, () -> ready.await(30, TimeUnit.SECONDS));
		CompletableFuture<@Nullable Throwable> dependent = outer
			.thenApply((result) -> catchThrowable(this.queue.submit(Level.NORMAL, () -> 1)::join));
		ready.countDown();

		assertRefused(dependent);
	}

	@Test
	void taskOfTheNextGenerationIsRefusedInAQueueThatIsBeingRemoved() {
		LeveledTask<@Nullable Throwable> outer = this.queue.submit(Level.NORMAL, () -> {
			this.queue.remove();
			return catchThrowable(this.queue.submit(Level.NORMAL, () -> 1)::join);
		});

		assertRefused(outer);
	}

	@Test
	void actionAtTheEndOfAQueueIsRefused() {
		CompletableFuture<@Nullable Throwable> thrown = new CompletableFuture<>();
		this.queue.submit(Level.NORMAL, () -> 1).join();
		this.queue.remove(() -> thrown.complete(catchThrowable(this.queue.submit(Level.NORMAL, () -> 1)::join)));

		assertRefused(thrown);
	}

	@Test
	void taskOfAnotherQueueMayBeWaitedFor() {
		LeveledTask<Integer> outer = this.queue.submit(Level.NORMAL,
				() -> this.executor.submit("b", Level.NORMAL, () -> 1).join());

		assertThat(outer).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(1);
	}

	@Test
	void taskOfTheSameQueueMayBeWaitedForByAnotherThread() {
		LeveledTask<Integer> outer = this.queue.submit(Level.NORMAL, () -> 1);
		LeveledTask<Integer> waiter = this.executor.submit("b", Level.NORMAL, outer::join);

		assertThat(waiter).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(1);
	}

	@Test
	void taskThatHasEndedMayBeJoined() {
		LeveledTask<@Nullable Throwable> outer = this.queue.submit(Level.NORMAL, () -> {
			LeveledTask<Integer> later = this.queue.submit(Level.NORMAL, () -> 1);
			later.cancel(false);
			return catchThrowable(later::join);
		});

		assertThat(outer).succeedsWithin(30, TimeUnit.SECONDS)
			.satisfies((thrown) -> assertThat(thrown).isInstanceOf(CancellationException.class));
	}

	@Test
	void threadThatRanATaskOfTheQueueMayWaitAfterwards() {
		this.queue.runOrSubmit(Level.NORMAL, () -> 1);

		assertThat(this.queue.submit(Level.NORMAL, () -> 2).join()).isEqualTo(2);
	}

	private static void assertRefused(CompletableFuture<@Nullable Throwable> thrown) {
		assertThat(thrown).succeedsWithin(30, TimeUnit.SECONDS)
			.satisfies((failure) -> assertThat(failure).isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("queue 'a'")
				.hasMessageContaining("thenAccept"));
	}

}
