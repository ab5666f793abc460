package dev.sluice.batch;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import dev.sluice.internal.ClockTimer;
import dev.sluice.internal.FatalErrors;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Retries of the failed batches of a slot: decides whether a batch is passed to the pump
 * again, and keeps it until its delay has passed.
 */
final class BatchRetries<T> {

	/*
	 * A batch is in "waiting", by its timer, then in "ready". The thread that removes it
	 * owns it. Attacked by FailureTests and RetryAgainstDiscard (jcstress).
	 */

	private final RetryPolicy policy;

	private final NanoClock clock;

	private final Runnable onReady;

	private final Map<ClockTimer, FailedBatch<T>> waiting = new ConcurrentHashMap<>();

	private final Queue<FailedBatch<T>> ready = new ConcurrentLinkedQueue<>();

	BatchRetries(RetryPolicy policy, NanoClock clock, Runnable onReady) {
		this.policy = policy;
		this.clock = clock;
		this.onReady = onReady;
	}

	/**
	 * Decides whether and when a failed batch is retried; {@code null} passes it to the
	 * error handler. A batch is not retried if its run discards or its policy throws.
	 */
	@Nullable Duration delayAfter(Run<T> run, Batch<T> batch, Throwable failure) {
		if (run.isDiscarding()) {
			return null;
		}
		try {
			return this.policy.delayAfter(batch.countFailure(), failure);
		}
		catch (Throwable ex) {
			failure.addSuppressed(ex);
			FatalErrors.passOn(ex);
			return null;
		}
	}

	void add(Batch<T> batch, Throwable failure, Duration delay) {
		ClockTimer timer = new ClockTimer(this.clock.nanoTime() + BatchSettings.nanos(delay), this::makeReady);
		this.waiting.put(timer, new FailedBatch<>(batch, failure));
		timer.start(this.clock);
	}

	private void makeReady(ClockTimer timer) {
		FailedBatch<T> failed = this.waiting.remove(timer);
		if (failed != null) {
			this.ready.add(failed);
			this.onReady.run();
		}
	}

	boolean hasReady() {
		return !this.ready.isEmpty();
	}

	/** Removes and returns a batch whose delay has passed, or null. */
	@Nullable FailedBatch<T> poll() {
		return this.ready.poll();
	}

	/** Removes all batches, first those whose delay has not passed. */
	void removeAll(Consumer<FailedBatch<T>> action) {
		for (ClockTimer timer : this.waiting.keySet()) {
			FailedBatch<T> failed = this.waiting.remove(timer);
			if (failed != null) {
				timer.cancel();
				action.accept(failed);
			}
		}
		FailedBatch<T> failed;
		while ((failed = this.ready.poll()) != null) {
			action.accept(failed);
		}
	}

	/**
	 * Batch that has failed.
	 *
	 * @param <T> the type of the items
	 * @param batch the batch
	 * @param failure the last failure
	 */
	record FailedBatch<T>(Batch<T> batch, Throwable failure) {
	}

}
