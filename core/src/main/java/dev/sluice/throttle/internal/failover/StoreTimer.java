package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timer of a store: one daemon thread, on which nothing may block. */
public final class StoreTimer extends ScheduledThreadPoolExecutor {

	private static final System.Logger LOGGER = System.getLogger(StoreTimer.class.getName());

	public StoreTimer(String name) {
		super(1, (task) -> {
			Thread thread = new Thread(task, name);
			thread.setDaemon(true);
			return thread;
		});
		setRemoveOnCancelPolicy(true);
	}

	/** Repeats a task, even if it fails. */
	public void repeat(Runnable task, Duration delay) {
		scheduleWithFixedDelay(() -> {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				LOGGER.log(System.Logger.Level.WARNING, "Periodic work for limits in the store failed", ex);
			}
		}, delay.toMillis(), delay.toMillis(), TimeUnit.MILLISECONDS);
	}

}
