package dev.sluice.execution.internal;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * Failure of a task whose future nobody has looked at; logged once that future is
 * garbage. Who waits for the future when the task fails has looked at it, and so has who
 * asks for its outcome, or for what depends on it, afterwards.
 */
public final class UnobservedFailure implements Runnable {

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

	/** Returns the failure of a task, unless somebody waits for the future. */
	public static @Nullable UnobservedFailure of(CompletableFuture<?> task, String queueId, Throwable failure) {
		return (task.getNumberOfDependents() == 0) ? new UnobservedFailure(queueId, failure) : null;
	}

	/** Waits until the task cannot be looked at any more. */
	public void watch(Object task) {
		CLEANER.register(task, this);
	}

	/** Somebody has looked at the future. */
	public void observed() {
		this.observed = true;
	}

	@Override
	public void run() {
		if (!this.observed) {
			logger.log(Level.WARNING, "A task of queue '" + this.queueId + "' failed, and nobody looked at its future",
					this.failure);
		}
	}

}
