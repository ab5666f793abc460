package dev.sluice.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;

import dev.sluice.time.NanoClock;

/**
 * Clock of the application whose failures do not prevent the release of a permit, the
 * service of a waiting line or the end of a call. While it fails, the time of the virtual
 * machine is used.
 */
public final class GuardedClock implements NanoClock {

	private static final ExtensionPoint CLOCKS = new ExtensionPoint("NanoClock",
			"the time of the virtual machine is used");

	private final NanoClock clock;

	/** Difference to the time of the virtual machine when the clock was first read. */
	private final long offset;

	private GuardedClock(NanoClock clock) {
		this.clock = clock;
		this.offset = clock.nanoTime() - System.nanoTime();
	}

	/**
	 * Returns a clock that does not throw.
	 * @param clock the clock of the application
	 * @return its guard, or the clock itself if it needs none
	 */
	public static NanoClock of(NanoClock clock) {
		return (clock == NanoClock.system() || clock instanceof GuardedClock) ? clock : new GuardedClock(clock);
	}

	@Override
	public long nanoTime() {
		try {
			return this.clock.nanoTime();
		}
		catch (Throwable ex) {
			failed(ex);
			return System.nanoTime() + this.offset;
		}
	}

	@Override
	public Future<?> schedule(Runnable task, Duration delay) {
		try {
			return Objects.requireNonNull(this.clock.schedule(task, delay), "'schedule' must not return null");
		}
		catch (Throwable ex) {
			failed(ex);
			return NanoClock.super.schedule(task, delay);
		}
	}

	private void failed(Throwable failure) {
		CLOCKS.report(this.clock.getClass().getName(), failure);
		FatalErrors.passOn(failure);
	}

	@Override
	public String toString() {
		return this.clock.toString();
	}

}
