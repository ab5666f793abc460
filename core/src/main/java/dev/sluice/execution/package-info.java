/**
 * Keyed, ordered, two-level execution: the tasks of one queue run one after another, high
 * before normal, while different queues run in parallel on any
 * {@link java.util.concurrent.Executor}.
 *
 * @see dev.sluice.execution.SequentialLeveledTaskExecutor
 */
@NullMarked
package dev.sluice.execution;

import org.jspecify.annotations.NullMarked;
