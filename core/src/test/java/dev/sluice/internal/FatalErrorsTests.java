package dev.sluice.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.sluice.batch.BatchConsumer;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FatalErrorsTests {

	private static final Pattern CATCH = Pattern.compile("(\\t+)catch \\(Throwable (\\w+)\\) \\{\\n(.*?)\\n\\1\\}",
			Pattern.DOTALL);

	/** The failure is thrown, passed on, or becomes the outcome of a future or stage. */
	private static final String HANDED_ON = "(?s).*(throw |passOn\\(%1$s\\)|[fF]ailed(Future)?\\(.*\\b%1$s\\b"
			+ "|[eE]nd(ed|Stage)?\\(.*\\b%1$s\\b|fail\\(.*\\b%1$s\\b|completeExceptionally\\(%1$s\\)|return %1$s;"
			+ "|Mono\\.error\\(%1$s\\)|failure = %1$s).*";

	private final List<Throwable> passedOn = new ArrayList<>();

	@BeforeEach
	void handle() {
		Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> this.passedOn.add(failure));
	}

	@AfterEach
	void handleNoMore() {
		Thread.currentThread().setUncaughtExceptionHandler(null);
	}

	@Test
	void passesOnErrorsOfTheVirtualMachineOnly() {
		InternalError fatal = new InternalError();

		FatalErrors.passOn(fatal);
		FatalErrors.passOn(new AssertionError());
		FatalErrors.passOn(new IllegalStateException());

		assertThat(this.passedOn).containsExactly(fatal);
	}

	@Test
	void handlerThatThrowsHasNoEffect() {
		Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
			throw new IllegalStateException();
		});

		FatalErrors.passOn(new InternalError());

		assertThat(this.passedOn).isEmpty();
	}

	@Test
	void listenersOfLimitsAreCalledAndThePermitsAreReleased() {
		List<String> called = new ArrayList<>();
		ThrottleListener failing = new ThrottleListener() {

			@Override
			public void admitted(String resource, String key, int permits, long waitNanos) {
				throw new InternalError();
			}

			@Override
			public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
				throw new InternalError();
			}

			@Override
			public void released(String resource, String key, int permits, long heldNanos) {
				throw new InternalError();
			}

		};
		ThrottlingManager manager = ThrottlingManager.builder()
			.completionExecutor(Runnable::run)
			.listener(failing)
			.listener(recorder(called))
			.build();
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());

		Permit permit = mutex.tryAcquire().permit();
		mutex.tryAcquire();
		CompletableFuture<Permit> waiting = mutex.acquire("", 1, Duration.ofMinutes(1));
		permit.close();
		waiting.join().close();

		assertThat(called).containsExactly("admitted", "rejected", "admitted", "released", "released");
		assertThat(this.passedOn).hasSize(5).hasOnlyElementsOfType(InternalError.class);
		assertThat(manager.listenerFailures()).isEqualTo(5);
		assertThat(mutex.tryAcquire().admitted()).isTrue();
	}

	@Test
	void listenerOfAnExecutorFailsAndTheTaskEnds() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run)
			.listener((queue, level, outcome, wait, run) -> {
				throw new InternalError();
			})
			.build();

		CompletableFuture<String> task = executor.submit("queue", Level.NORMAL, () -> "done");

		assertThat(task).isCompletedWithValue("done");
		assertThat(this.passedOn).hasSize(1);
	}

	@Test
	void poolThatCannotCreateAThreadFailsTheTask() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder((worker) -> {
			throw new OutOfMemoryError();
		}).build();

		CompletableFuture<String> task = executor.submit("queue", Level.NORMAL, () -> "done");

		assertThat(task).isCompletedExceptionally();
		assertThat(this.passedOn).hasSize(1);
	}

	@Test
	void callbacksOfABatchFailAndItsItemsEnd() {
		BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
			.batchSize(1)
			.executor(Runnable::run)
			.retry((failures, failure) -> {
				throw new InternalError();
			})
			.errorHandler((items, slot, failure) -> {
				throw new InternalError();
			})
			.listener((slot, items, outcome, nanos) -> {
				throw new InternalError();
			})
			.build();
		consumer.start((items, slot) -> {
			throw new IOException("expected");
		});

		assertThat(consumer.push(1, 0)).isCompletedExceptionally();
		assertThat(this.passedOn).hasSize(3).hasOnlyElementsOfType(InternalError.class);
	}

	/** A swallowed error of the virtual machine would be visible in a log at most. */
	@Test
	void everyCatchOfAThrowableHandsItOn() throws IOException {
		List<String> swallowed = new ArrayList<>();
		for (String module : List.of("core", "redis", "jdbc", "spring", "websocket", "cluster", "autoconfigure")) {
			try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
				sources.filter((path) -> path.toString().endsWith(".java"))
					.forEach((path) -> addSwallowed(path, swallowed));
			}
		}

		assertThat(swallowed).containsExactlyInAnyOrder(
				// failures of the log and of the handlers themselves
				"ExtensionPoint", "FatalErrors");
	}

	private static void addSwallowed(Path path, List<String> swallowed) {
		try {
			Matcher block = CATCH.matcher(Files.readString(path));
			while (block.find()) {
				if (!block.group(3).matches(HANDED_ON.formatted(block.group(2)))) {
					swallowed.add(path.getFileName().toString().replace(".java", ""));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ThrottleListener recorder(List<String> called) {
		return new ThrottleListener() {

			@Override
			public void admitted(String resource, String key, int permits, long waitNanos) {
				called.add("admitted");
			}

			@Override
			public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
				called.add("rejected");
			}

			@Override
			public void released(String resource, String key, int permits, long heldNanos) {
				called.add("released");
			}

		};
	}

}
