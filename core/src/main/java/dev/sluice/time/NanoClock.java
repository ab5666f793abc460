package dev.sluice.time;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A monotonic source of time in nanoseconds. It never steps back, even if the wall clock
 * does, and can be replaced by a settable one in tests.
 * <p>
 * Two readings are compared by the sign of their difference, never by {@code <}, so a
 * clock may start anywhere, just below an overflow included. Implementations must be safe
 * for use by many threads. While a clock throws, Sluice uses the time of the virtual
 * machine in its place.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NanoClock {

	/**
	 * Reads the clock; never blocks.
	 * @return the current time in nanoseconds
	 */
	long nanoTime();

	/**
	 * Runs a task once, when this clock has advanced by a time. Unless overridden, real
	 * time passes on a timer thread that all of the virtual machine shares; tasks must be
	 * short and must not block.
	 * @param task what to run, on a thread of the clock's choice
	 * @param delay how long to wait; zero or less means at once
	 * @return a handle that cancels the task if it has not started
	 */
	default Future<?> schedule(Runnable task, Duration delay) {
		Objects.requireNonNull(task, "'task' must not be null");
		Objects.requireNonNull(delay, "'delay' must not be null");
		CompletableFuture<Void> timer = new CompletableFuture<>();
		timer.thenRun(task);
		return timer.completeOnTimeout(null, delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Returns the clock of this virtual machine: {@link System#nanoTime()}, shifted once,
	 * when the class is loaded, so that zero is the epoch (1 January 1970, UTC). Windows
	 * aligned to it therefore line up with the clock on the wall as it stood then; later
	 * steps of that clock change nothing.
	 * @return the shared system clock
	 */
	static NanoClock system() {
		return SystemNanoClock.INSTANCE;
	}

}
