package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * What Guava's tests ask of a sequential executor, asked of one level of a queue as an
 * {@link Executor}.
 */
class GuavaSequentialContractTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final TaskQueue queue = SequentialLeveledTaskExecutor.builder(this.workers).build().queue("a");

	private final List<String> ran = new ArrayList<>();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	@Test
	@SuppressWarnings("NullAway")
	void workersAndTasksMustNotBeNull() {
		assertThatNullPointerException().isThrownBy(() -> SequentialLeveledTaskExecutor.builder(null));
		assertThatNullPointerException().isThrownBy(() -> this.queue.asExecutor(Level.HIGH).execute(null));
		assertThat(this.workers.size()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void oneWorkerServesWhateverWaits(Level level) {
		Executor view = this.queue.asExecutor(level);
		view.execute(() -> this.ran.add("1"));
		view.execute(() -> this.ran.add("2"));
		assertThat(this.workers.size()).isOne();
		this.workers.runOne();
		assertThat(this.ran).containsExactly("1", "2");

		view.execute(() -> this.ran.add("3"));
		assertThat(this.workers.size()).isOne();
		this.workers.runOne();
		assertThat(this.ran).containsExactly("1", "2", "3");
	}

	@ParameterizedTest
	@EnumSource
	void tasksOfTasksComeLast(Level level) {
		Executor view = this.queue.asExecutor(level);
		view.execute(() -> {
			view.execute(() -> this.ran.add("3"));
			this.ran.add("1");
		});
		view.execute(() -> this.ran.add("2"));
		this.workers.runAll();

		assertThat(this.ran).containsExactly("1", "2", "3");
	}

	@ParameterizedTest
	@EnumSource
	void whatTasksThrowReachesNeitherTheWorkerNorTheTasksBehind(Level level) {
		Executor view = this.queue.asExecutor(level);
		view.execute(() -> {
			throw new IllegalStateException("exception");
		});
		view.execute(() -> this.ran.add("1"));
		view.execute(() -> {
			throw new StackOverflowError("error");
		});
		view.execute(() -> this.ran.add("2"));
		this.workers.runOne();

		assertThat(this.ran).containsExactly("1", "2");
	}

	@ParameterizedTest
	@EnumSource
	void interruptBeforeTheWorkerIsKeptFromTasksAndRestored(Level level) {
		Queue<Boolean> seen = new ConcurrentLinkedQueue<>();
		this.queue.asExecutor(level).execute(() -> seen.add(Thread.currentThread().isInterrupted()));
		Thread.currentThread().interrupt();
		this.workers.runOne();

		assertThat(seen).containsExactly(false);
		assertThat(Thread.interrupted()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void interruptOfATaskThatThrowsStopsNothingAndIsRestored(Level level) {
		Executor view = this.queue.asExecutor(level);
		view.execute(() -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted");
		});
		view.execute(() -> this.ran.add(String.valueOf(Thread.currentThread().isInterrupted())));
		view.execute(() -> this.ran.add(String.valueOf(Thread.currentThread().isInterrupted())));
		this.workers.runOne();

		assertThat(this.ran).containsExactly("false", "false");
		assertThat(Thread.interrupted()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void rejectedTaskIsNeverRunLater(Level level) {
		Executor view = this.queue.asExecutor(level);
		this.workers.reject(true);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(RejectedExecutionException.class)
				.isThrownBy(() -> view.execute(() -> this.ran.add("rejected")));
		}
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.IDLE);
		this.workers.reject(false);
		view.execute(() -> this.ran.add("accepted"));
		this.workers.runAll();

		assertThat(this.ran).containsExactly("accepted");
	}

	@ParameterizedTest
	@EnumSource
	void taskBehindARunningOneNeedsNoFurtherWorker(Level level) {
		Executor view = this.queue.asExecutor(level);
		view.execute(() -> {
			this.workers.reject(true);
			view.execute(() -> this.ran.add("behind"));
		});
		this.workers.runOne();

		assertThat(this.ran).containsExactly("behind");
	}

	@ParameterizedTest
	@EnumSource
	void rejectionFailsTheTasksOfOtherQueuesThatReliedOnTheWorker(Level level) {
		Queue<LeveledTask<?>> tasks = new ConcurrentLinkedQueue<>();
		AtomicReference<SequentialLeveledTaskExecutor> rejected = new AtomicReference<>();
		rejected.set(SequentialLeveledTaskExecutor.builder((worker) -> {
			for (String id : List.of("a", "b")) {
				tasks.add(rejected.get().execute(id, level, () -> this.ran.add("relied on the worker")));
			}
			throw new RejectedExecutionException("no workers");
		}).build());
		tasks.add(rejected.get().execute("a", level, () -> this.ran.add("rejected")));

		assertThat(tasks).hasSize(3).allSatisfy((task) -> assertThat(task).isCompletedExceptionally());
		assertThat(this.ran).isEmpty();
	}

}
