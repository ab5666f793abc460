/**
 * Workers of an executor: the list of queues that are ready, the workers that a pool is
 * given for it, and the log of failures that nobody looks at.
 * <p>
 * Knows neither queues nor tasks: a queue is a
 * {@link dev.sluice.execution.internal.ReadyQueue} here. The queues themselves stay in
 * {@code dev.sluice.execution}, because a task, which is the API, is the node of its
 * queue, and would have to open to everybody what the queue does with it. Start at
 * {@link dev.sluice.execution.internal.ReadyQueues}.
 */
@NullMarked
package dev.sluice.execution.internal;

import org.jspecify.annotations.NullMarked;
