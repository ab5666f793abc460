package dev.sluice.batch;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.time.NanoClock;

/** One slot whose turns run, and whose timers ring, when an actor says so. */
class StressedConsumer implements BatchPump<Integer>, NanoClock {

	final BatchConsumer<Integer> consumer;

	final AtomicInteger arrived = new AtomicInteger();

	final Queue<CompletableFuture<Object>> stages = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> timers = new ConcurrentLinkedQueue<>();

	private final boolean held;

	private volatile long now;

	/**
	 * Creates a consumer.
	 * @param held whether batches end when an actor ends their stages, or at once
	 */
	StressedConsumer(int batchSize, boolean held, SlotOverflow overflow) {
		this.held = held;
		this.consumer = BatchConsumer.<Integer>builder()
			.batchSize(batchSize)
			.maxWaiting(batchSize)
			.overflow(overflow)
			.pushInterval(Duration.ofNanos(10))
			.retry(RetryPolicy.exponential(1, Duration.ofNanos(10), Duration.ofNanos(10)))
			.clock(this)
			.executor(this.turns::add)
			.build();
	}

	@Override
	public CompletionStage<?> pump(List<Integer> items, int slot) {
		this.arrived.addAndGet(items.size());
		CompletableFuture<Object> stage = new CompletableFuture<>();
		if (this.held) {
			this.stages.add(stage);
		}
		else {
			stage.complete(null);
		}
		return stage;
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	@Override
	public Future<?> schedule(Runnable task, Duration delay) {
		this.timers.add(task);
		return new CompletableFuture<>();
	}

	void turn() {
		Runnable turn = this.turns.poll();
		if (turn != null) {
			turn.run();
		}
	}

	void ring() {
		this.now += 10;
		Runnable timer = this.timers.poll();
		if (timer != null) {
			timer.run();
		}
	}

	/** Runs the turns that were called; no timer. */
	void settle() {
		while (!this.turns.isEmpty()) {
			turn();
		}
	}

}
