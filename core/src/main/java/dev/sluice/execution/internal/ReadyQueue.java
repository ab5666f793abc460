package dev.sluice.execution.internal;

import org.jspecify.annotations.Nullable;

/** Queue with tasks to run, as served by the workers. */
public abstract class ReadyQueue {

	/**
	 * Runs tasks until the queue is empty or another queue is due.
	 * @return whether the worker still owns the queue, which goes to the end of the list
	 */
	protected abstract boolean work(WorkerRun worker);

	/**
	 * Fails every waiting task because no worker is available.
	 * @return the queue that the caller owns now, if there is one
	 */
	protected abstract @Nullable ReadyQueue rejectAll(Throwable reason);

}
