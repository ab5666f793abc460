package dev.sluice.execution;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an executor, as its builder has checked them.
 *
 * @param workers runs the workers
 * @param clock measures all times
 * @param maxConcurrency {@link Integer#MAX_VALUE} where there is no limit
 * @param maxTasksBeforeYield tasks of a queue before a worker turns to another
 * @param maxConsecutiveHigh {@link Integer#MAX_VALUE} where there is no limit
 * @param capacity most tasks that may wait in a queue
 * @param overflow what happens to a task that finds its queue full
 * @param maxBlock the longest wait for a place
 * @param closeTimeout the longest wait for tasks when the executor is closed
 * @param idleTime when idle queues are removed, or {@code null} for never
 * @param recordsWaits whether each task notes when it was submitted
 * @param decorators change tasks when they are submitted
 * @param listeners are called when tasks end
 */
record ExecutorSettings(Executor workers, NanoClock clock, int maxConcurrency, int maxTasksBeforeYield,
		int maxConsecutiveHigh, int capacity, OverflowStrategy overflow, Duration maxBlock, Duration closeTimeout,
		@Nullable Duration idleTime, boolean recordsWaits, List<TaskDecorator> decorators,
		List<ExecutionListener> listeners) {

}
