package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PauseTests {

	private final ManualWorkers workers = new ManualWorkers();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.workers).build();

	private final TaskQueue queue = this.executor.queue("a");

	private final List<String> ran = new ArrayList<>();

	@Test
	void pausedQueueGathersTasksUntilItIsResumed() {
		this.queue.pause();
		submit("1", "2");
		this.workers.runAll();

		assertThat(this.ran).isEmpty();
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.PAUSED);
		assertThat(this.queue.snapshot().waiting()).isEqualTo(2);
		this.queue.resume();
		this.workers.runAll();
		assertThat(this.ran).containsExactly("1", "2");
		assertThat(this.queue.snapshot().state()).isEqualTo(QueueState.IDLE);
	}

	@Test
	void runningTaskGoesOnAndNoFurtherOneStarts() {
		this.queue.execute(Level.NORMAL, () -> {
			this.queue.pause();
			this.ran.add("running");
		});
		submit("next");
		this.workers.runAll();

		assertThat(this.ran).containsExactly("running");
	}

	@Test
	void pauseThatEndsBeforeAWorkerSeesItChangesNothing() {
		submit("1");
		this.queue.pause();
		this.queue.resume();
		this.queue.resume();
		this.workers.runAll();

		assertThat(this.ran).containsExactly("1");
	}

	@Test
	void otherQueuesGoOn() {
		this.queue.pause();
		submit("paused");
		this.executor.execute("b", Level.NORMAL, () -> this.ran.add("other"));
		this.workers.runAll();

		assertThat(this.ran).containsExactly("other");
	}

	@Test
	void drainResumesThePausedQueue() {
		this.queue.pause();
		submit("1");
		CompletableFuture<?> drained = this.executor.drain();
		this.workers.runAll();

		assertThat(drained).isCompleted();
		assertThat(this.ran).containsExactly("1");
	}

	@Test
	void removalResumesThePausedQueueAndItsSuccessorIsNotPaused() {
		this.queue.pause();
		submit("1");
		CompletableFuture<?> removed = this.queue.remove();
		submit("2");
		this.workers.runAll();

		assertThat(removed).isCompleted();
		assertThat(this.ran).containsExactly("1", "2");
	}

	private void submit(String... names) {
		for (String name : names) {
			this.queue.execute(Level.NORMAL, () -> this.ran.add(name));
		}
	}

}
