package dev.sluice.test.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;

/**
 * Time that a store under test uses: a settable clock, exact to the nanosecond, or real
 * time, to a stated tolerance.
 *
 * @since 0.1.0
 */
public abstract class StoreTime {

	private final NanoClock clock;

	private final Duration tolerance;

	private StoreTime(NanoClock clock, Duration tolerance) {
		this.clock = clock;
		this.tolerance = tolerance;
	}

	/**
	 * Returns the time of a clock that the contract sets.
	 * @param clock the clock that the store goes by
	 * @return exact time
	 */
	public static StoreTime of(SettableClock clock) {
		return new StoreTime(clock, Duration.ZERO) {

			@Override
			public void pass(Duration time) {
				clock.advance(time);
			}

		};
	}

	/**
	 * Returns real time. The contract then waits for about a minute in all, less where
	 * JUnit runs its tests side by side. What must not have happened yet is judged by the
	 * time that has really passed, and what must happen is waited for, so a machine that
	 * is late now and then does no harm.
	 * @param tolerance how far the store's clock may be from this machine's, plus what an
	 * answer usually takes; from 1 to 100 milliseconds
	 * @return time that passes by itself
	 * @throws IllegalArgumentException if {@code tolerance} is out of range
	 */
	public static StoreTime real(Duration tolerance) {
		if (tolerance.toMillis() < 1 || tolerance.toMillis() > 100) {
			throw new IllegalArgumentException("'tolerance' must be from PT0.001S to PT0.1S: " + tolerance);
		}
		return new StoreTime(NanoClock.system(), tolerance) {

			@Override
			public void pass(Duration time) {
				long end = System.nanoTime() + time.toNanos();
				long left;
				while ((left = end - System.nanoTime()) > 0) {
					LockSupport.parkNanos(left);
				}
			}

		};
	}

	/**
	 * Lets time pass: advances the clock, or waits.
	 * @param time how long
	 */
	public abstract void pass(Duration time);

	/**
	 * Returns how far a time may be off.
	 * @return zero for a settable clock
	 */
	public final Duration tolerance() {
		return this.tolerance;
	}

	final long nanoTime() {
		return this.clock.nanoTime();
	}

	/** Returns the next full multiple of a window, which no clock has reached before. */
	final long endOf(Duration window) {
		long now = nanoTime();
		return now + window.toNanos() - Math.floorMod(now, window.toNanos()) - this.tolerance.toNanos();
	}

	/** Lets time pass until just after the next full multiple of a window. */
	final void align(Duration window) {
		long into = Math.floorMod(nanoTime(), window.toNanos());
		pass(Duration.ofNanos(window.toNanos() - into).plus(this.tolerance));
	}

}
