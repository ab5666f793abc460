package dev.sluice.execution.internal;

import org.jspecify.annotations.Nullable;

/**
 * One run of a worker on a thread; nested where an executor's task drives another.
 */
public final class WorkerRun {

	/** The list of ready queues that it serves; known by identity only. */
	final Object serves;

	final @Nullable WorkerRun below;

	private boolean interrupted;

	/** Whether the pool ran another worker on this one's stack: it must not leave. */
	boolean reentered;

	WorkerRun(Object serves, @Nullable WorkerRun below) {
		this.serves = serves;
		this.below = below;
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
