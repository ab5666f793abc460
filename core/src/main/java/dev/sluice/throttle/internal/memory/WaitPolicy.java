package dev.sluice.throttle.internal.memory;

import java.time.Duration;

import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.Verdict;

/** Policy that decides whether a call that is not admitted at once may wait. */
final class WaitPolicy {

	private WaitPolicy() {
	}

	/**
	 * Returns whether a call may come to the end of a line.
	 * @param waiting how many are in line
	 * @param waitNanos the time until it could be admitted, or {@link Verdict#UNKNOWN}
	 * @param maxWait the time for which it is ready to wait
	 */
	static boolean mayWait(LimitOptions options, int waiting, long waitNanos, Duration maxWait) {
		return !maxWait.isZero() && waiting < options.maxWaiting() && !options.dryRun()
				&& (waitNanos == Verdict.UNKNOWN || Duration.ofNanos(waitNanos).compareTo(maxWait) <= 0);
	}

}
