package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.TestVolume;
import dev.sluice.time.NanoClock;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Explores the interleavings of pushes, turns, flushes, ends of batches, completions and
 * starts on one slot (promises 1, 2 and 7). Whatever happened: every full batch has gone
 * out once all turns have run, unless as many as may be are in flight; after an interval
 * everything has; and when the consumer has drained, every item has ended once, in the
 * order in which one thread pushed it, or was dropped as it was pushed after completion
 * had begun.
 */
@Tag("full")
public final class BatchConsumerLincheckTests {

	private static final int BATCH = 2;

	private final Queue<Runnable> pool = new ConcurrentLinkedQueue<>();

	private final Queue<Timer> timers = new ConcurrentLinkedQueue<>();

	private final Queue<CompletableFuture<?>> inFlight = new ConcurrentLinkedQueue<>();

	private final Queue<Pushed> pushed = new ConcurrentLinkedQueue<>();

	private final Queue<Pushed> arrived = new ConcurrentLinkedQueue<>();

	private final AtomicInteger numbers = new AtomicInteger();

	private volatile boolean completed;

	private volatile long now;

	private final BatchConsumer<Pushed> consumer = BatchConsumer.<Pushed>builder()
		.batchSize(BATCH)
		.pushInterval(Duration.ofNanos(10))
		.clock(new Clock())
		.executor(this.pool::add)
		.build();

	public BatchConsumerLincheckTests() {
		start();
	}

	@Operation
	public void push(@Param(gen = ThreadIdGen.class) int thread) {
		Pushed item = new Pushed(thread, this.numbers.getAndIncrement());
		item.future = this.consumer.push(item, 0);
		this.pushed.add(item);
	}

	@Operation
	public void work() {
		Runnable worker = this.pool.poll();
		if (worker != null) {
			worker.run();
		}
	}

	@Operation
	public void flush() {
		this.now += 10;
		Timer timer = this.timers.poll();
		if (timer != null) {
			timer.ring();
		}
	}

	@Operation
	public void endBatch() {
		CompletableFuture<?> stage = this.inFlight.poll();
		if (stage != null) {
			stage.complete(null);
		}
	}

	@Operation
	public void complete() {
		this.completed = true;
		this.consumer.complete(true);
	}

	@Operation
	public void start() {
		try {
			this.consumer.start((items, slot) -> {
				this.arrived.addAll(items);
				CompletableFuture<Object> stage = new CompletableFuture<>();
				this.inFlight.add(stage);
				return stage;
			});
		}
		catch (IllegalStateException ex) {
			// It is running.
		}
	}

	@Validate
	public void nothingIsStrandedOrDoubledOrOutOfOrder() {
		workAll();
		BatchSnapshot snapshot = this.consumer.snapshot();
		check(!snapshot.running() || snapshot.inFlight() > 0 || snapshot.waiting() < BATCH, "A batch was stranded");
		check(!snapshot.running() || snapshot.waiting() == 0 || snapshot.inFlight() > 0 || !this.timers.isEmpty(),
				"Nothing would flush what waits");
		check(snapshot.running() || snapshot.inFlight() == 0, "A batch outlived its run");
		endAll();
		start();
		CompletableFuture<?> completed = this.consumer.complete(true);
		endAll();
		check(completed.isDone(), "The consumer did not complete");
		for (Pushed item : this.pushed) {
			CompletableFuture<?> future = item.future;
			check(future != null && future.isDone(), "An item has not ended");
			check(future.isCompletedExceptionally() != this.arrived.contains(item), "An item was lost");
			check(!future.isCompletedExceptionally() || this.completed, "An item was dropped in a run");
		}
		List<Pushed> order = new ArrayList<>(this.arrived);
		for (int i = 0; i < order.size(); i++) {
			for (int j = i + 1; j < order.size(); j++) {
				check(order.get(i).mayPrecede(order.get(j)), "Out of order or doubled");
			}
		}
	}

	private void endAll() {
		do {
			workAll();
			endBatch();
		}
		while (!this.inFlight.isEmpty() || !this.pool.isEmpty());
	}

	private void workAll() {
		while (!this.pool.isEmpty()) {
			work();
		}
	}

	private void check(boolean holds, String failure) {
		if (!holds) {
			throw new IllegalStateException(failure + ": " + this.consumer.snapshot());
		}
	}

	@Test
	void modelChecking() {
		new ModelCheckingOptions().threads(2)
			.actorsPerThread(3)
			.actorsBefore(2)
			.actorsAfter(0)
			.iterations(TestVolume.of(6))
			.invocationsPerIteration(100)
			.check(BatchConsumerLincheckTests.class);
	}

	private static final class Pushed {

		private final int thread;

		private final int number;

		private volatile CompletableFuture<?> future;

		Pushed(int thread, int number) {
			this.thread = thread;
			this.number = number;
		}

		boolean mayPrecede(Pushed later) {
			return this.thread != later.thread || this.number < later.number;
		}

	}

	/** Rings its timers only when told to. */
	private final class Clock implements NanoClock {

		@Override
		public long nanoTime() {
			return BatchConsumerLincheckTests.this.now;
		}

		@Override
		public Future<?> schedule(Runnable task, Duration delay) {
			Timer timer = new Timer(task);
			BatchConsumerLincheckTests.this.timers.add(timer);
			return timer;
		}

	}

	private final class Timer extends CompletableFuture<Void> {

		private final Runnable task;

		Timer(Runnable task) {
			this.task = task;
		}

		void ring() {
			if (complete(null)) {
				this.task.run();
			}
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			BatchConsumerLincheckTests.this.timers.remove(this);
			return super.cancel(mayInterruptIfRunning);
		}

	}

}
