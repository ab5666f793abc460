package dev.sluice.time;

/**
 * A monotonic source of time in nanoseconds. It never steps back, whatever happens to the
 * clock on the wall, and may be replaced by a settable one in tests.
 * <p>
 * Two readings are compared by the sign of their difference, never by {@code <}, so a
 * clock may start anywhere, just below an overflow included. Implementations must be safe
 * for use by many threads.
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
