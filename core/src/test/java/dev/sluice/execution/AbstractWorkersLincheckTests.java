package dev.sluice.execution;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.TestVolume;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Explores the interleavings of workers that come, turn to another queue, leave for the
 * pool after each turn, are sent for and sometimes rejected (promises 2, 3 and 6).
 * Whatever happened, once the workers that the pool was given have run, every task has
 * ended.
 */
public abstract class AbstractWorkersLincheckTests {

	private final Queue<Runnable> pool = new ConcurrentLinkedQueue<>();

	private final SequentialLeveledTaskExecutor executor;

	private final TaskQueue first;

	private final TaskQueue second;

	private final Queue<LeveledTask<?>> submitted = new ConcurrentLinkedQueue<>();

	private volatile boolean rejecting;

	/** Creates an executor of which so many tasks may run at a time. */
	AbstractWorkersLincheckTests(int maxConcurrency) {
		this.executor = new SequentialLeveledTaskExecutor(SequentialLeveledTaskExecutor.builder(this::offer)
			.maxConcurrency(maxConcurrency)
			.maxTasksBeforeYield(1)
			.settings(), 1);
		this.first = this.executor.addQueue("a");
		this.second = this.executor.addQueue("b");
	}

	@Operation
	public void submitToFirst() {
		this.submitted.add(this.first.execute(Level.NORMAL, () -> {
		}));
	}

	@Operation
	public void submitTwoToSecond() {
		for (int i = 0; i < 2; i++) {
			this.submitted.add(this.second.execute(Level.NORMAL, () -> {
			}));
		}
	}

	@Operation
	public void runInFirst() {
		this.submitted
			.add(this.first.runOrSubmit(Level.NORMAL, () -> this.submitted.add(this.second.execute(Level.NORMAL, () -> {
			}))));
	}

	@Operation
	public void submitToFirstOfAPoolThatRejects() {
		this.rejecting = true;
		submitToFirst();
		this.rejecting = false;
	}

	@Operation
	public void work() {
		Runnable worker = this.pool.poll();
		if (worker != null) {
			worker.run();
		}
	}

	private void offer(Runnable worker) {
		if (this.rejecting) {
			throw new RejectedExecutionException();
		}
		this.pool.add(worker);
	}

	@Validate
	public void everyTaskHasEnded() {
		while (!this.pool.isEmpty()) {
			work();
		}
		for (LeveledTask<?> task : this.submitted) {
			if (!task.isDone()) {
				throw new IllegalStateException("A task was stranded: " + this.executor.snapshot(2));
			}
		}
	}

	@Test
	void modelChecking() {
		new ModelCheckingOptions().threads(3)
			.actorsPerThread(2)
			.actorsBefore(1)
			.actorsAfter(0)
			.iterations(TestVolume.of(8))
			.invocationsPerIteration(400)
			.check(getClass());
	}

}
