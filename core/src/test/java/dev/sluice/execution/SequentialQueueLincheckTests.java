package dev.sluice.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.TestVolume;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Explores the interleavings of submitters, those that run their task, workers,
 * cancellers and pauses on one queue (promises 1, 2 and 4). Whatever happened, once the
 * workers that the pool was given have run, every task has ended, none ran twice or
 * overlapped another, and tasks of one level ran in the order in which one thread
 * submitted them.
 */
public class SequentialQueueLincheckTests {

	private final Queue<Runnable> pool = new ConcurrentLinkedQueue<>();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(this.pool::add)
		.maxTasksBeforeYield(1)
		.build();

	private final TaskQueue queue = this.executor.addQueue("a");

	private final Queue<LeveledTask<?>> submitted = new ConcurrentLinkedQueue<>();

	private final Queue<Ran> ran = new ConcurrentLinkedQueue<>();

	private final AtomicInteger numbers = new AtomicInteger();

	private volatile int inside;

	private volatile boolean overlapped;

	@Operation
	public void submitNormal(@Param(gen = ThreadIdGen.class) int thread) {
		submit(thread, Level.NORMAL);
	}

	@Operation
	public void submitHigh(@Param(gen = ThreadIdGen.class) int thread) {
		submit(thread, Level.HIGH);
	}

	@Operation
	public void submitAndCancel(@Param(gen = ThreadIdGen.class) int thread) {
		submit(thread, Level.NORMAL).cancel(false);
	}

	@Operation
	public void run(@Param(gen = ThreadIdGen.class) int thread) {
		Ran task = new Ran(thread, Level.NORMAL, this.numbers.getAndIncrement());
		this.submitted.add(this.queue.runOrSubmit(Level.NORMAL, () -> {
			begin(task);
			return null;
		}));
	}

	@Operation
	public void work() {
		Runnable worker = this.pool.poll();
		if (worker != null) {
			worker.run();
		}
	}

	@Operation
	public void pauseAndResume() {
		this.queue.pause();
		this.queue.resume();
	}

	@Operation
	public void remove() {
		this.queue.remove();
	}

	@Validate
	public void everyTaskHasEndedOnce() {
		while (!this.pool.isEmpty()) {
			work();
		}
		for (LeveledTask<?> task : this.submitted) {
			if (!task.isDone()) {
				throw new IllegalStateException("A task was stranded: " + this.queue.snapshot());
			}
		}
		if (this.overlapped) {
			throw new IllegalStateException("Tasks overlapped");
		}
		List<Ran> order = new ArrayList<>(this.ran);
		for (int i = 0; i < order.size(); i++) {
			for (int j = i + 1; j < order.size(); j++) {
				if (!order.get(i).mayPrecede(order.get(j))) {
					throw new IllegalStateException("Out of order or run twice: " + order);
				}
			}
		}
	}

	private LeveledTask<?> submit(int thread, Level level) {
		Ran task = new Ran(thread, level, this.numbers.getAndIncrement());
		LeveledTask<?> future = this.queue.execute(level, () -> begin(task));
		this.submitted.add(future);
		return future;
	}

	private void begin(Ran task) {
		this.overlapped |= this.inside != 0;
		this.inside = 1;
		this.ran.add(task);
		this.inside = 0;
	}

	@Test
	void modelChecking() {
		new ModelCheckingOptions().threads(2)
			.actorsPerThread(3)
			.actorsBefore(1)
			.actorsAfter(0)
			.iterations(TestVolume.of(6))
			.invocationsPerIteration(400)
			.check(SequentialQueueLincheckTests.class);
	}

	private record Ran(int thread, Level level, int number) {

		boolean mayPrecede(Ran later) {
			return this.thread != later.thread || this.level != later.level || this.number < later.number;
		}

	}

}
