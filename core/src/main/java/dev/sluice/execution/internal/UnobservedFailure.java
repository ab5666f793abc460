package dev.sluice.execution.internal;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Failure of a task that no caller has observed. It is logged when the future of the task
 * has been garbage collected. A caller observes the failure by waiting for the future, by
 * reading its outcome, or by adding a dependent stage.
 */
public final class UnobservedFailure implements Runnable {

	/*
	 * "observed" is only ever set. The cleaner reads it when the task is unreachable, so
	 * that no thread can observe the failure any more. Attacked by
	 * UnobservedFailureTests.
	 */

	private static final System.Logger logger = System.getLogger("dev.sluice.execution.SequentialLeveledTaskExecutor");

	private static final Cleaner CLEANER = Cleaner.create((cleaning) -> {
		Thread thread = new Thread(cleaning, "sluice-unobserved-failures");
		thread.setDaemon(true);
		return thread;
	});

	private final String queueId;

	private final Throwable failure;

	private volatile boolean observed;

	private UnobservedFailure(String queueId, Throwable failure) {
		this.queueId = queueId;
		this.failure = failure;
	}

	/** Returns the failure of a task, or null if the future has dependents. */
	public static @Nullable UnobservedFailure of(CompletableFuture<?> task, String queueId, Throwable failure) {
		return (task.getNumberOfDependents() == 0) ? new UnobservedFailure(queueId, failure) : null;
	}

	/** Logs the failure once the task is unreachable, unless it is observed before. */
	public void watch(Object task) {
		CLEANER.register(task, this);
	}

	/** Marks the failure as observed. */
	public void observed() {
		this.observed = true;
	}

	@Override
	public void run() {
		if (!this.observed) {
			logger.log(Level.WARNING, "A task of queue '" + this.queueId + "' failed, and its future was not observed",
					this.failure);
		}
	}

}
