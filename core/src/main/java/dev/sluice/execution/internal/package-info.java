/**
 * Workers of an executor: the list of ready queues, the workers that serve it, and the
 * log of unobserved failures. Start at {@link dev.sluice.execution.internal.ReadyQueues}.
 * <p>
 * The package does not depend on queues and tasks: a queue is a
 * {@link dev.sluice.execution.internal.ReadyQueue} here. The queues are in
 * {@code dev.sluice.execution}, because a task, which is public API, is the node of its
 * queue, and moving the queue would make the internal methods of the node public.
 */
@NullMarked
package dev.sluice.execution.internal;

import org.jspecify.annotations.NullMarked;
