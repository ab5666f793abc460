package dev.sluice.execution;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Promise 7: idle queues are small and keep nothing alive. */
class MemoryTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	@Test
	void idleQueueTakesAtMost128Bytes() {
		assertThat(ClassLayout.parseClass(SequentialQueue.class).instanceSize()
				+ ClassLayout.parseClass(QueueRunner.class).instanceSize())
			.isLessThanOrEqualTo(128);
	}

	@Test
	void taskIsOneSmallObject() {
		assertThat(ClassLayout.parseClass(LeveledTask.class).instanceSize()).isLessThanOrEqualTo(48);
	}

	@Test
	void idleQueueKeepsNoTaskOfABurst() {
		WeakReference<?> first = new WeakReference<>(submit());
		for (int i = 0; i < 500; i++) {
			submit();
		}
		WeakReference<?> last = new WeakReference<>(submit());
		this.workers.runAll();

		await().until(() -> {
			System.gc();
			return first.get() == null && last.get() == null;
		});
		assertThat(this.executor.snapshot("a"))
			.hasValueSatisfying((queue) -> assertThat(queue.state()).isEqualTo(QueueState.IDLE));
	}

	@Test
	void finishedTaskKeepsNoOtherTaskAlive() {
		LeveledTask<?> kept = submit();
		WeakReference<?> next = new WeakReference<>(submit());
		this.workers.runAll();

		await().until(() -> {
			System.gc();
			return next.get() == null;
		});
		assertThat(kept).isCompleted();
	}

	@Test
	void droppedTaskKeepsNothingOfItsBody() {
		SequentialLeveledTaskExecutor dropping = SequentialLeveledTaskExecutor.builder(this.workers)
			.queueCapacity(1)
			.overflow(OverflowStrategy.DROP_OLDEST)
			.build();
		List<WeakReference<Object>> payloads = new ArrayList<>();
		List<LeveledTask<?>> tasks = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			Object payload = new Object();
			payloads.add(new WeakReference<>(payload));
			tasks.add(dropping.submit("a", Level.NORMAL, () -> payload));
		}

		await().until(() -> {
			System.gc();
			return payloads.get(0).get() == null;
		});
		assertThat(tasks.get(0)).isCompletedExceptionally();
		assertThat(tasks.get(1)).isNotDone();
	}

	private LeveledTask<?> submit() {
		byte[] payload = new byte[1024];
		return this.executor.submit("a", Level.NORMAL, () -> payload);
	}

}
