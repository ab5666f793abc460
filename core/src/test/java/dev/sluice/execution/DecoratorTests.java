package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DecoratorTests {

	private final List<String> events = new ArrayList<>();

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers)
		.decorator(new Noting("inner"))
		.decorator(new Noting("outer"))
		.build();

	@Test
	void everyKindOfTaskIsDecoratedWhenItIsSubmittedAndCalledByTheDecorators() {
		TaskQueue queue = this.executor.queue("a");
		LeveledTask<?> runnable = queue.execute(Level.NORMAL, () -> this.events.add("run"));
		LeveledTask<String> callable = queue.submit(Level.NORMAL, Duration.ofDays(1), () -> "called");
		LeveledTask<String> stage = queue.submitStage(Level.NORMAL, () -> CompletableFuture.completedFuture("staged"));
		assertThat(this.events).containsExactly("inner", "outer", "inner", "outer", "inner", "outer");
		this.events.clear();
		this.workers.runAll();
		assertThat(this.events).containsExactly("outer calls", "inner calls", "run", "outer calls", "inner calls",
				"outer calls", "inner calls");
		assertThat(runnable).isCompletedWithValue(null);
		assertThat(callable).isCompletedWithValue("called");
		assertThat(stage).isCompletedWithValue("staged");
	}

	@Test
	void whatADecoratorThrowsReachesTheSubmitterAndNothingIsTaken() {
		SequentialLeveledTaskExecutor rejecting = SequentialLeveledTaskExecutor.builder(this.workers)
			.decorator(new TaskDecorator() {

				@Override
				public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
					throw new IllegalStateException("expected");
				}

			})
			.build();
		assertThatIllegalStateException().isThrownBy(() -> rejecting.execute("a", Level.NORMAL, () -> {
		})).withMessage("expected");
		assertThat(rejecting.snapshot("a")).isEmpty();
	}

	private final class Noting implements TaskDecorator {

		private final String name;

		Noting(String name) {
			this.name = name;
		}

		@Override
		public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
			DecoratorTests.this.events.add(this.name);
			return () -> {
				DecoratorTests.this.events.add(this.name + " calls");
				return task.call();
			};
		}

	}

}
