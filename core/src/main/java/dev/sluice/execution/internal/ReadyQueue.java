package dev.sluice.execution.internal;

import org.jspecify.annotations.Nullable;

/** Queue that has something to run, as the workers see it. */
public abstract class ReadyQueue {

	/**
	 * Runs tasks until none is left, or another queue should have its turn.
	 * @return whether the worker still owns the queue, which goes to the end of the list
	 */
	protected abstract boolean work(WorkerRun worker);

	/**
	 * Ends every waiting task because no worker could be had.
	 * @return the queue that the caller owns now, if there is one
	 */
	protected abstract @Nullable ReadyQueue rejectAll(Throwable reason);

}
