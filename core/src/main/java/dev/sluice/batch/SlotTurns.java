package dev.sluice.batch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.batch.BatchRetries.FailedBatch;
import dev.sluice.execution.Level;
import dev.sluice.execution.TaskQueue;
import dev.sluice.internal.Failures;
import dev.sluice.internal.FieldHandles;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Turns of a slot. Each turn takes one batch, if one is due, and passes it to the pump.
 * {@link BatchRetries} decides whether a failed batch is retried or given up.
 */
final class SlotTurns<T> implements Runnable {

	/*
	 * Turns. A turn is a task of the slot's queue in the consumer's sequential executor:
	 * turns of a slot never overlap, turns of different slots run in parallel, and a busy
	 * slot yields its worker to others that wait. A change that may matter to the slot is
	 * made first, and a turn is called afterwards: by the pusher whose item was
	 * requested, by a timer, by the end of a batch, by start and complete. "called"
	 * merges the calls between two turns. A turn clears it before it reads any state, so
	 * a change made before a call is read by this turn or by a later one.
	 *
	 * Attention. At its end a turn requests to be called when the item at position
	 * "attention" is pushed: the first item of an empty slot, or the one that fills a
	 * batch. It writes that position and then reads the inbox again. A pusher pushes and
	 * then reads the position. So the turn finds the item, or its pusher the position.
	 *
	 * In flight. A batch counts from its first call to the end of its last one, including
	 * retries. Its futures end before it stops counting, and then a turn is called. When
	 * a turn of a sealed slot finds all items taken and none in flight, all have ended.
	 *
	 * Attacked by BatchConsumerLincheckTests (model checking), PushAgainstTurn,
	 * PushAgainstFlush, PushAgainstComplete, EndAgainstComplete and RetryAgainstDiscard
	 * (jcstress), LostSignalTests and BatchSoakTests.
	 */

	private static final VarHandle CALLED = FieldHandles.find(MethodHandles.lookup(), "called", int.class);

	private final ConsumerState<T> consumer;

	private final Slot<T> slot;

	private final TaskQueue queue;

	private final NanoClock clock;

	private final int batchSize;

	private final int maxConcurrency;

	/** Number of calls for a turn since the last one began. */
	private volatile int called;

	private volatile int attention = 1;

	private final AtomicInteger inFlight = new AtomicInteger();

	private final Queue<Batch<T>> idleBatches = new ConcurrentLinkedQueue<>();

	private final BatchRetries<T> retries;

	/** Thread that is calling the pump. */
	private volatile @Nullable Thread pumping;

	// Written in turns only

	private final BatchDuePolicy policy;

	// Counted in items and batches

	private final LongAdder batches = new LongAdder();

	private final LongAdder completed = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final LongAdder retried = new LongAdder();

	SlotTurns(ConsumerState<T> consumer, Slot<T> slot, BatchSettings<T> settings) {
		this.consumer = consumer;
		this.slot = slot;
		this.queue = consumer.turns.queue(String.valueOf(slot.number));
		this.clock = settings.clock();
		this.batchSize = settings.batchSize();
		this.maxConcurrency = settings.maxConcurrency();
		this.retries = new BatchRetries<>(settings.retryPolicy(), this.clock, this::call);
		this.policy = new BatchDuePolicy(this.clock, this.batchSize, BatchSettings.nanos(settings.pushInterval()),
				this::call);
	}

	/** Called by the pusher of each item, after the push. */
	void arrived(int position) {
		if ((position == this.attention && this.consumer.run() != null) || this.consumer.isCompleting()) {
			call();
		}
	}

	/** Requests a turn that begins after this call. */
	void call() {
		if ((int) CALLED.getAndAdd(this, 1) == 0) {
			this.queue.execute(Level.NORMAL, this).exceptionally((cause) -> {
				rejected(cause);
				return null;
			});
		}
	}

	/** Returns whether the thread is in a call of this slot's pump. */
	boolean isPumping(Thread thread) {
		return this.pumping == thread;
	}

	// A turn

	@Override
	public void run() {
		this.called = 0;
		Run<T> run = this.consumer.latestRun();
		if (run == null || run.isOver()) {
			this.policy.cancel();
			dropLate(run);
			return;
		}
		if (run.isSealed(this.slot.number)) {
			this.policy.cancel();
			if (run.isDiscarding()) {
				discard(run);
			}
		}
		else {
			this.policy.look(this.slot.newest().position);
		}
		Batch<T> batch = next(run);
		if (batch != null) {
			pump(run, batch);
		}
		settle(run);
	}

	private @Nullable Batch<T> next(Run<T> run) {
		FailedBatch<T> retried = this.retries.poll();
		if (retried != null) {
			return retried.batch();
		}
		Item<T> newest = this.slot.newest();
		int end = run.end(this.slot.number, newest.position);
		if (this.inFlight.get() < this.maxConcurrency && isDue(run, end, this.slot.waiting.taken())) {
			Batch<T> batch = cut(newest, end);
			if (batch != null) {
				this.inFlight.incrementAndGet();
			}
			return batch;
		}
		return null;
	}

	private boolean isDue(Run<T> run, int end, int taken) {
		return this.policy.isDue(taken, end, run.isSealed(this.slot.number));
	}

	private @Nullable Batch<T> cut(Item<T> newest, int end) {
		Batch<T> idle = this.idleBatches.poll();
		Batch<T> batch = (idle != null) ? idle : new Batch<>();
		if (this.slot.take(batch, newest, end, this.batchSize)) {
			return batch;
		}
		this.idleBatches.add(batch);
		return null;
	}

	/** Leaves the slot in a state in which the next event calls a turn. */
	private void settle(Run<T> run) {
		for (;;) {
			int newest = this.slot.newest().position;
			int taken = this.slot.waiting.taken();
			int end = run.end(this.slot.number, newest);
			if (this.retries.hasReady() || (isDue(run, end, taken) && this.inFlight.get() < this.maxConcurrency)) {
				call();
				return;
			}
			if (isDue(run, end, taken)) {
				return;
			}
			if (run.isSealed(this.slot.number)) {
				if (end - taken <= 0) {
					dropLate(run);
					if (this.inFlight.get() == 0) {
						run.over(this.slot.number);
					}
				}
				return;
			}
			this.attention = this.policy.await(taken, newest);
			if (this.attention - this.slot.newest().position > 0) {
				return;
			}
		}
	}

	// Batches in flight

	private void pump(Run<T> run, Batch<T> batch) {
		int call = batch.startCall(this.consumer.hasListeners() ? this.clock.nanoTime() : 0);
		PumpSignal signal = new PumpSignal(run, this.consumer::callBack);
		try {
			CompletionStage<?> stage = callPump(run, batch, signal);
			if (stage == null) {
				throw new NullPointerException("The pump returned no stage for slot " + this.slot.number);
			}
			stage.whenComplete((result, failure) -> ended(run, batch, call, signal, failure));
		}
		catch (Throwable ex) {
			ended(run, batch, call, signal, ex);
		}
	}

	private @Nullable CompletionStage<?> callPump(Run<T> run, Batch<T> batch, PumpSignal signal) throws Exception {
		this.pumping = Thread.currentThread();
		try {
			return run.pump.pump(batch, this.slot.number, signal);
		}
		finally {
			this.pumping = null;
		}
	}

	/** Called by the thread that ends the stage. */
	private void ended(Run<T> run, Batch<T> batch, int call, PumpSignal signal, @Nullable Throwable failure) {
		if (!batch.endCall(call)) {
			return;
		}
		signal.end();
		if (failure == null) {
			this.batches.increment();
			this.completed.add(batch.size());
			this.consumer.notifyListeners(this.slot.number, batch, PumpOutcome.COMPLETED);
			release(batch, null);
			return;
		}
		Throwable reason = Failures.cause(failure);
		Duration delay = this.retries.delayAfter(run, batch, reason);
		if (delay != null) {
			this.retried.increment();
			this.consumer.notifyListeners(this.slot.number, batch, PumpOutcome.RETRIED);
			this.retries.add(batch, reason, delay);
			// A run that begins to discard now finds the batch, or is found here
			if (run.isDiscarding()) {
				call();
			}
		}
		else {
			this.consumer.notifyListeners(this.slot.number, batch, PumpOutcome.FAILED);
			giveUp(batch, reason);
		}
	}

	private void giveUp(Batch<T> batch, Throwable failure) {
		this.failed.add(batch.size());
		this.consumer.handle(this.slot.number, batch, failure);
		release(batch, failure);
	}

	/** Ends the batch and frees its place for the next turn. */
	private void release(Batch<T> batch, @Nullable Throwable failure) {
		batch.end(failure);
		this.idleBatches.add(batch);
		this.inFlight.decrementAndGet();
		call();
	}

	// Ends without the pump

	/** Drops waiting items up to the seal, and gives up batches that wait for a retry. */
	private void discard(Run<T> run) {
		Item<T> newest = this.slot.newest();
		discard(newest, run.end(this.slot.number, newest.position));
		this.retries.removeAll((failed) -> giveUp(failed.batch(), failed.failure()));
	}

	/** Drops all waiting items of a slot that belongs to no run. */
	void discard() {
		Item<T> newest = this.slot.newest();
		discard(newest, newest.position);
	}

	private void discard(Item<T> newest, int end) {
		drop(newest, end,
				new ItemDroppedException(this.slot.number, "because its consumer completes without draining"));
	}

	/**
	 * Drops items pushed after a run was completed, once all earlier items have been
	 * taken. The run is still the latest one after the newest item has been read, so all
	 * of these items were pushed before the next start.
	 */
	private void dropLate(@Nullable Run<T> run) {
		Item<T> newest = this.slot.newest();
		if (run != null && run == this.consumer.latestRun()) {
			drop(newest, newest.position, this.slot.late());
		}
	}

	private void drop(Item<T> newest, int end, ItemDroppedException reason) {
		Batch<T> batch;
		while ((batch = cut(newest, end)) != null) {
			this.slot.countDiscarded(batch.size());
			batch.end(reason);
			this.idleBatches.add(batch);
		}
	}

	/**
	 * Handles a rejection by the executor: all waiting items fail with its exception, and
	 * later items try again. No other thread runs a turn at this time, so this is one.
	 */
	private void rejected(Throwable cause) {
		int calls;
		do {
			calls = this.called;
			Run<T> run = this.consumer.latestRun();
			if (run != null && !run.isOver()) {
				reject(run, cause);
			}
			else {
				dropLate(run);
			}
		}
		while (!CALLED.compareAndSet(this, calls, 0));
	}

	private void reject(Run<T> run, Throwable cause) {
		if (run.isDiscarding()) {
			discard(run);
		}
		FailedBatch<T> retried;
		while ((retried = this.retries.poll()) != null) {
			giveUp(retried.batch(), cause);
		}
		int newest;
		do {
			Item<T> top = this.slot.newest();
			Batch<T> batch;
			while ((batch = cut(top, run.end(this.slot.number, top.position))) != null) {
				this.inFlight.incrementAndGet();
				giveUp(batch, cause);
			}
			this.attention = this.slot.waiting.taken() + 1;
			newest = this.slot.newest().position;
		}
		while (run.end(this.slot.number, newest) - this.slot.waiting.taken() > 0);
		if (run.isSealed(this.slot.number)) {
			dropLate(run);
			if (this.inFlight.get() == 0) {
				run.over(this.slot.number);
			}
		}
	}

	SlotSnapshot snapshot(int waiting, long rejected, long dropped) {
		return new SlotSnapshot(this.slot.number, waiting, this.inFlight.get(), this.batches.sum(),
				this.completed.sum(), this.failed.sum(), this.retried.sum(), rejected, dropped);
	}

}
