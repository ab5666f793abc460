package dev.sluice.execution;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A task that fails, and whose future nobody looks at, is logged once. */
class UnobservedFailureTests {

	/** Unlike those of other tests, whose failures are logged late, too. */
	private static final String QUEUE = "unobserved";

	private final Logger logger = Logger.getLogger(SequentialLeveledTaskExecutor.class.getName());

	private final Log log = new Log();

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	@BeforeEach
	void listen() {
		this.logger.addHandler(this.log);
		this.logger.setUseParentHandlers(false);
	}

	@AfterEach
	void stopListening() {
		this.logger.setUseParentHandlers(true);
		this.logger.removeHandler(this.log);
	}

	@Test
	void failureThatNobodyLooksAtIsLoggedOnce() {
		fail("runnable");
		this.executor.submit(QUEUE, Level.HIGH, () -> {
			throw new IllegalStateException("callable");
		});
		this.executor.submitStage(QUEUE, Level.NORMAL,
				() -> CompletableFuture.failedFuture(new IllegalStateException("stage")));
		this.workers.runAll();

		awaitLogged(3);
		assertThat(this.log.failures()).containsExactlyInAnyOrder("runnable", "callable", "stage");
	}

	@Test
	void failureThatSomebodyLooksAtIsNotLogged() {
		fail("dependent before").whenComplete((value, ex) -> {
		});
		LeveledTask<?> after = fail("dependent after");
		LeveledTask<?> joined = fail("joined");
		LeveledTask<?> asked = fail("asked");
		LeveledTask<?> got = fail("got");
		this.workers.runAll();
		after.exceptionally((ex) -> null);
		assertThat(joined).isCompletedExceptionally();
		assertThat(asked.isCompletedExceptionally()).isTrue();
		assertThat(got).failsWithin(Duration.ZERO);
		after = null;
		joined = null;
		asked = null;
		got = null;
		fail("marker");
		this.workers.runAll();

		awaitLogged(1);
		System.gc();
		assertThat(this.log.failures()).containsExactly("marker");
	}

	private LeveledTask<?> fail(String message) {
		return this.executor.execute(QUEUE, Level.NORMAL, () -> {
			throw new IllegalStateException(message);
		});
	}

	private void awaitLogged(int count) {
		await().until(() -> {
			System.gc();
			return this.log.failures().size() >= count;
		});
	}

	/** Keeps what is logged. */
	private static final class Log extends Handler {

		private final List<LogRecord> records = new CopyOnWriteArrayList<>();

		List<String> failures() {
			return this.records.stream()
				.filter((logged) -> logged.getMessage().contains("queue '" + QUEUE + "'"))
				.map((logged) -> logged.getThrown().getMessage())
				.toList();
		}

		@Override
		public void publish(LogRecord logged) {
			this.records.add(logged);
		}

		@Override
		public void flush() {
			// nothing is buffered
		}

		@Override
		public void close() {
			// nothing is open
		}

	}

}
