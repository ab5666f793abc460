package dev.sluice.execution.internal;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * One run of a worker on a thread; nested where an executor's task drives another.
 */
public final class WorkerRun {

	/** The list of ready queues that it serves, by which it is known. */
	final Collection<?> ready;

	final @Nullable WorkerRun below;

	/** Tasks of the queue's share that have run. */
	private int tasks;

	private boolean interrupted;

	/** Whether the pool ran another worker on this one's stack: it must not leave. */
	boolean reentered;

	WorkerRun(Collection<?> ready, @Nullable WorkerRun below) {
		this.ready = ready;
		this.below = below;
	}

	/** Begins the share of a queue. */
	public void startQueue() {
		this.tasks = 0;
	}

	/** Counts a task that has run; returns how many have, of the queue's share. */
	int countTask() {
		return ++this.tasks;
	}

	/** Gives the next task a clear interrupt bit. */
	public void clearInterrupt() {
		this.interrupted |= Thread.interrupted();
	}

	void restoreInterrupt() {
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
