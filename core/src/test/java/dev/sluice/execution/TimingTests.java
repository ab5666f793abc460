package dev.sluice.execution;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Time to live, measured waits, the listener and idle queues, on a settable clock.
 */
class TimingTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);

	private final List<String> told = new ArrayList<>();

	@Test
	void expiredTaskIsFailedAndSkippedWhenItsTurnComes() {
		SequentialLeveledTaskExecutor executor = builder().build();
		LeveledTask<Integer> expired = executor.submit("a", Level.NORMAL, Duration.ofNanos(100), () -> 1);
		LeveledTask<Integer> inTime = executor.submit("a", Level.NORMAL, Duration.ofNanos(101), () -> 2);
		LeveledTask<Integer> endless = executor.submit("a", Level.NORMAL, Duration.ofSeconds(Long.MAX_VALUE), () -> 3);
		this.now.addAndGet(100);
		this.workers.runAll();

		assertThat(catchThrowable(expired::join)).hasCauseInstanceOf(TaskExpiredException.class);
		assertThat(inTime).isCompletedWithValue(2);
		assertThat(endless).isCompletedWithValue(3);
		assertThat(executor.snapshot(0).expired()).isEqualTo(1);
	}

	@Test
	void timeToLiveMustBePositive() {
		SequentialLeveledTaskExecutor executor = builder().build();

		assertThatIllegalArgumentException()
			.isThrownBy(() -> executor.submit("a", Level.NORMAL, Duration.ZERO, () -> 1))
			.withMessage("'timeToLive' must be greater than zero: PT0S");
	}

	@Test
	void listenerHearsOfEveryEndWithItsTimes() {
		SequentialLeveledTaskExecutor executor = builder().queueCapacity(3)
			.listener((id, level, outcome, wait, run) -> this.told
				.add(id + " " + level + " " + outcome + " " + wait + " " + run))
			.build();
		executor.execute("a", Level.NORMAL, () -> this.now.addAndGet(7));
		executor.execute("a", Level.HIGH, () -> {
			throw new IllegalStateException();
		});
		LeveledTask<?> cancelled = executor.execute("a", Level.NORMAL, () -> {
		});
		executor.execute("a", Level.NORMAL, () -> {
		});
		this.now.addAndGet(5);
		cancelled.cancel(false);
		this.workers.runAll();

		assertThat(this.told).containsExactly("a NORMAL REJECTED 0 0", "a NORMAL CANCELLED 5 0", "a HIGH FAILED 5 0",
				"a NORMAL COMPLETED 5 7");
	}

	@Test
	void listenerHearsOfAStageWhenItEnds() {
		SequentialLeveledTaskExecutor executor = builder()
			.listener((id, level, outcome, wait, run) -> this.told.add(outcome + " " + wait + " " + run))
			.build();
		CompletableFuture<Integer> stage = new CompletableFuture<>();
		executor.submitStage("a", Level.NORMAL, () -> stage);
		this.now.addAndGet(3);
		this.workers.runAll();
		this.now.addAndGet(4);
		stage.complete(1);

		assertThat(this.told).containsExactly("COMPLETED 3 4");
	}

	@Test
	void clockThatThrowsIsReplacedByTheTimeOfTheVirtualMachine() {
		boolean[] broken = { false };
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).clock(() -> {
			if (broken[0]) {
				throw new IllegalStateException("clock");
			}
			return 0;
		}).build();
		LeveledTask<Integer> timed = executor.submit("a", Level.NORMAL, Duration.ofNanos(1), () -> 1);
		LeveledTask<Integer> untimed = executor.submit("a", Level.NORMAL, () -> 2);
		broken[0] = true;
		this.workers.runAll();

		assertThat(catchThrowable(timed::join)).hasCauseInstanceOf(TaskExpiredException.class);
		assertThat(untimed).isCompletedWithValue(2);
	}

	@Test
	void eachListenerIsToldThoughTheOneBeforeItThrows() {
		List<String> told = new ArrayList<>();
		SequentialLeveledTaskExecutor executor = builder().listener((id, level, outcome, wait, run) -> {
			told.add("first");
			throw new IllegalStateException("listener");
		}).listener((id, level, outcome, wait, run) -> told.add("second")).build();
		executor.submit("a", Level.NORMAL, () -> 1);
		this.workers.runAll();

		assertThat(told).containsExactly("first", "second");
		assertThat(executor.snapshot(0).listenerFailures()).isEqualTo(1);
	}

	@Test
	void throwingListenerIsCountedAndAltersNothing() {
		SequentialLeveledTaskExecutor executor = builder().listener((id, level, outcome, wait, run) -> {
			throw new IllegalStateException("listener");
		}).build();
		LeveledTask<Integer> task = executor.submit("a", Level.NORMAL, () -> 1);
		this.workers.runAll();

		assertThat(task).isCompletedWithValue(1);
		assertThat(executor.snapshot(0).listenerFailures()).isEqualTo(1);
	}

	@Test
	void snapshotsTellTheOldestWaitAndTheDeepestQueues() {
		SequentialLeveledTaskExecutor executor = builder().recordWaits(true).build();
		executor.queue("deep").pause();
		executor.execute("deep", Level.NORMAL, () -> {
		});
		this.now.addAndGet(4);
		executor.execute("deep", Level.HIGH, () -> {
		});
		executor.execute("shallow", Level.NORMAL, () -> {
		});
		executor.addQueue("idle");
		this.now.addAndGet(6);

		ExecutorSnapshot snapshot = executor.snapshot(1);
		assertThat(snapshot.queues()).isEqualTo(3);
		assertThat(snapshot.paused()).isEqualTo(1);
		assertThat(snapshot.waitingHigh()).isEqualTo(1);
		assertThat(snapshot.waitingNormal()).isEqualTo(2);
		assertThat(snapshot.oldestWait()).isEqualTo(Duration.ofNanos(10));
		assertThat(snapshot.deepest())
			.containsExactly(new QueueSnapshot("deep", QueueState.PAUSED, 1, 1, Duration.ofNanos(10)));
		assertThat(executor.snapshot("shallow"))
			.contains(new QueueSnapshot("shallow", QueueState.WAITING, 0, 1, Duration.ofNanos(6)));
	}

	@Test
	void idleQueuesExpireByTheSubmissionsOfOthers() {
		SequentialLeveledTaskExecutor executor = builder().expireIdleAfter(Duration.ofNanos(100)).build();
		for (int i = 0; i < 10; i++) {
			executor.execute("idle-" + i, Level.NORMAL, () -> {
			});
		}
		this.workers.runAll();
		executor.queue("paused").pause();
		this.now.addAndGet(100);
		for (int i = 0; i < 10; i++) {
			executor.execute("busy", Level.NORMAL, () -> {
			});
			this.workers.runAll();
		}

		assertThat(executor.snapshot("busy")).isPresent();
		assertThat(executor.snapshot("paused")).isPresent();
		assertThat(executor.snapshot(0).queues()).isEqualTo(2);
		assertThat(executor.snapshot(0).completed()).isEqualTo(20);
	}

	@Test
	void queueThatWasAddedHasItsWholeIdleTime() {
		SequentialLeveledTaskExecutor executor = builder().expireIdleAfter(Duration.ofNanos(100)).build();
		executor.addQueue("added");
		this.now.addAndGet(99);
		executor.execute("busy", Level.NORMAL, () -> {
		});
		assertThat(executor.snapshot("added")).isPresent();
		this.now.addAndGet(1);
		executor.execute("busy", Level.NORMAL, () -> {
		});

		assertThat(executor.snapshot("added")).isEmpty();
	}

	@Test
	void timesMayBeForEver() {
		Duration forEver = ChronoUnit.FOREVER.getDuration();
		SequentialLeveledTaskExecutor executor = builder().maxBlock(forEver)
			.closeTimeout(forEver)
			.expireIdleAfter(forEver)
			.build();
		executor.addQueue("added");
		executor.execute("other", Level.NORMAL, () -> {
		});

		assertThat(executor.snapshot("added")).isPresent();
	}

	@Test
	void badSettingsAreRejectedByName() {
		assertThatIllegalArgumentException().isThrownBy(() -> builder().maxTasksBeforeYield(0))
			.withMessage("'maxTasksBeforeYield' must be greater than 0: 0");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().maxTasksBeforeYield(10_001))
			.withMessageContainingAll("'maxTasksBeforeYield'", "10000", "10001", "more workers");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> builder().build().setMaxTasksBeforeYield(Integer.MAX_VALUE))
			.withMessageContainingAll("'maxTasksBeforeYield'", "10000", "2147483647");
		assertThat(builder().maxTasksBeforeYield(10_000).build().maxTasksBeforeYield()).isEqualTo(10_000);
		assertThatIllegalArgumentException().isThrownBy(() -> builder().queueCapacity(-1))
			.withMessage("'queueCapacity' must be greater than 0: -1");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().maxConsecutiveHigh(0))
			.withMessage("'maxConsecutiveHigh' must be greater than 0: 0");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().maxBlock(Duration.ofMillis(-1)))
			.withMessage("'maxBlock' must not be negative: PT-0.001S");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().expireIdleAfter(Duration.ZERO))
			.withMessage("'expireIdleAfter' must be greater than zero: PT0S");
		assertThatIllegalArgumentException().isThrownBy(() -> builder().build().snapshot(-1))
			.withMessage("'top' must not be negative: -1");
	}

	@Test
	void theEmptyTextIsAnId() {
		SequentialLeveledTaskExecutor executor = builder().build();
		List<String> ran = new ArrayList<>();
		executor.execute("", Level.NORMAL, () -> ran.add("ran"));
		executor.queue("").execute(Level.NORMAL, () -> ran.add("ran by its handle"));
		this.workers.runAll();
		assertThat(ran).containsExactly("ran", "ran by its handle");
		assertThat(executor.snapshot("")).isPresent();
	}

	@Test
	@SuppressWarnings("NullAway")
	void noIdIsRejectedByName() {
		SequentialLeveledTaskExecutor executor = builder().build();
		List<Consumer<String>> calls = List.of((id) -> executor.submit(id, Level.NORMAL, () -> ""),
				(id) -> executor.submit(id, Level.NORMAL, Duration.ofDays(1), () -> ""),
				(id) -> executor.execute(id, Level.NORMAL, () -> {
				}), (id) -> executor.submitStage(id, Level.NORMAL, CompletableFuture::new), executor::queue,
				executor::addQueue, executor::removeQueue, (id) -> executor.removeQueue(id, () -> {
				}), executor::snapshot);
		assertThat(calls).allSatisfy((call) -> assertThatNullPointerException().isThrownBy(() -> call.accept(null))
			.withMessage("'id' must not be null"));
	}

	private SequentialLeveledTaskExecutor.Builder builder() {
		return SequentialLeveledTaskExecutor.builder(this.workers).clock(this.now::get);
	}

}
