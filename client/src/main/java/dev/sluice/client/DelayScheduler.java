package dev.sluice.client;

import java.time.Duration;
import java.util.concurrent.Future;

/**
 * Runs tasks after a delay. In tests, the method {@code schedule} of a settable clock.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DelayScheduler {

	/**
	 * Runs a task once, after a delay, on any thread; does not wait for it.
	 * @param task the task, which does not block
	 * @param delay the delay, not negative
	 * @return the scheduled task, whose cancellation keeps it from running
	 */
	Future<?> schedule(Runnable task, Duration delay);

}
