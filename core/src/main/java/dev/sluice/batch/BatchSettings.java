package dev.sluice.batch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a consumer, as its builder has checked them.
 *
 * @param <T> the type of the items
 * @param slots the number of slots
 * @param batchSize most items of a batch
 * @param pushInterval the longest wait of an item for a full batch
 * @param maxConcurrency most batches of a slot in flight
 * @param maxWaiting most items of a slot that wait
 * @param overflow what happens to an item that finds its slot full
 * @param maxBlock the longest wait of a pusher for a place
 * @param retryPolicy decides on failed batches
 * @param errorHandler is given the batches that are given up, or {@code null}
 * @param listeners are called at the end of each call of the pump
 * @param executor calls the pump
 * @param clock measures intervals and delays
 */
record BatchSettings<T>(int slots, int batchSize, Duration pushInterval, int maxConcurrency, int maxWaiting,
		SlotOverflow overflow, Duration maxBlock, RetryPolicy retryPolicy,
		@Nullable BatchErrorHandler<? super T> errorHandler, List<PumpListener> listeners, Executor executor,
		NanoClock clock) {

	/** Far enough, and near enough to be added to any reading of a clock. */
	private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

	/** A duration in nanoseconds, or the longest that can be added to a reading. */
	static long nanos(Duration duration) {
		return Math.min(TimeUnit.NANOSECONDS.convert(duration), LONGEST_NANOS);
	}

}
