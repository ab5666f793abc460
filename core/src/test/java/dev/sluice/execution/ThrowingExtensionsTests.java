package dev.sluice.execution;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Each extension of an executor throws or returns {@code null}, at each call or at the
 * first: all futures end, the queue continues, and nothing waits.
 */
class ThrowingExtensionsTests {

	private static final int TASKS = 4;

	static Stream<Arguments> attacks() {
		return Arrays.stream(Extension.values())
			.flatMap((extension) -> Arrays.stream(Fault.values())
				.flatMap((fault) -> Stream.of(Arguments.of(extension, fault, 1),
						Arguments.of(extension, fault, Integer.MAX_VALUE))));
	}

	@ParameterizedTest
	@MethodSource("attacks")
	void allFuturesEndAndTheQueueContinues(Extension extension, Fault fault, int times) {
		Attack attack = new Attack(extension, fault, 0);
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder((worker) -> {
			attack.call(Extension.WORKERS, "");
			worker.run();
		}).decorator(decorator(attack)).clock(() -> {
			attack.call(Extension.CLOCK, "");
			return System.nanoTime();
		}).listener((queue, level, outcome, wait, run) -> attack.call(Extension.LISTENER, "")).build();
		attack.times = times;
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < TASKS; i++) {
			catchThrowable(
					() -> futures.add(executor.submit("queue", Level.NORMAL, () -> attack.call(Extension.TASK, ""))));
			catchThrowable(
					() -> futures.add(executor.execute("queue", Level.HIGH, () -> attack.call(Extension.TASK, ""))));
			catchThrowable(() -> futures.add(executor.<String>submitStage("queue", Level.NORMAL,
					() -> attack.call(Extension.STAGE, CompletableFuture.completedFuture("")))));
		}
		attack.end();
		CompletableFuture<String> later = executor.submit("queue", Level.NORMAL, () -> "later");

		assertThat(later).isCompletedWithValue("later");
		assertThat(futures).allMatch(CompletableFuture::isDone);
		assertThat(executor.removeQueue("queue")).isDone();
		assertThat(executor.snapshot(1)).returns(0, ExecutorSnapshot::queues)
			.returns(0, ExecutorSnapshot::running)
			.returns(0, ExecutorSnapshot::held)
			.returns(0L, ExecutorSnapshot::waitingHigh)
			.returns(0L, ExecutorSnapshot::waitingNormal);
		if (extension == Extension.LISTENER || extension == Extension.CLOCK) {
			assertThat(futures).hasSize(3 * TASKS).noneMatch(CompletableFuture::isCompletedExceptionally);
		}
	}

	private static TaskDecorator decorator(Attack attack) {
		return new TaskDecorator() {

			@Override
			@SuppressWarnings("NullAway")
			public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
				return attack.call(Extension.DECORATOR, () -> {
					attack.call(Extension.BEFORE_TASK, "");
					try {
						return task.call();
					}
					finally {
						attack.call(Extension.AFTER_TASK, "");
					}
				});
			}

		};
	}

	/** Code of the application that an executor calls. */
	enum Extension {

		WORKERS, DECORATOR, BEFORE_TASK, AFTER_TASK, TASK, STAGE, LISTENER, CLOCK

	}

	/** What an extension does in place of its work. */
	enum Fault {

		EXCEPTION, ERROR, FATAL, CHECKED, NULL, FAILED_STAGE

	}

	/** Fault of one extension, a number of times. */
	private static final class Attack {

		private final Extension attacked;

		private final Fault fault;

		private int times;

		Attack(Extension attacked, Fault fault, int times) {
			this.attacked = attacked;
			this.fault = fault;
			this.times = times;
		}

		void end() {
			this.times = 0;
		}

		@SuppressWarnings("unchecked")
		<T> @Nullable T call(Extension extension, T result) {
			if (extension != this.attacked || this.times-- <= 0) {
				return result;
			}
			return switch (this.fault) {
				case EXCEPTION -> throw new IllegalStateException("expected");
				case ERROR -> throw new AssertionError("expected");
				case FATAL -> throw new InternalError("expected");
				case CHECKED -> throw Attack.<RuntimeException>unchecked(new IOException("expected"));
				case NULL -> null;
				case FAILED_STAGE -> (result instanceof CompletionStage<?>)
						? (T) CompletableFuture.failedFuture(new IOException("expected")) : result;
			};
		}

		@SuppressWarnings("unchecked")
		private static <X extends Throwable> X unchecked(Throwable failure) throws X {
			throw (X) failure;
		}

	}

}
