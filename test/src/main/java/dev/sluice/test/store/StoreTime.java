package dev.sluice.test.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;

/**
 * Time source of a store under test: a settable clock, exact to the nanosecond, or real
 * time with a given tolerance.
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
	 * @param clock the clock that the store uses
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
	 * Returns real time. All tests of the contract then take about a minute, or less if
	 * JUnit runs them in parallel. An occasional delay of the machine does not fail a
	 * test: the contract waits for each expected event, and compares the absence of an
	 * event with the time that has really passed.
	 * @param tolerance the maximum difference between the clocks of the store and of this
	 * machine, plus the usual response time; from 1 to 100 milliseconds
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
	 * Advances the clock, or blocks until the time has passed.
	 * @param time the time to pass
	 */
	public abstract void pass(Duration time);

	/**
	 * Returns the maximum error of a time.
	 * @return zero for a settable clock
	 */
	public final Duration tolerance() {
		return this.tolerance;
	}

	final long nanoTime() {
		return this.clock.nanoTime();
	}

	/**
	 * Returns the next full multiple of a window, less the tolerance, so that no clock
	 * has reached it before.
	 */
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
