package dev.sluice.throttle.internal;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Decision.Reason;
import dev.sluice.throttle.Permit;

/**
 * Decision in one {@code long}, so that it costs no object: 0 if admitted, or the
 * nanoseconds to wait and, in the lowest bits, the reason.
 */
public final class Verdict {

	public static final long ADMITTED = 0;

	/** Value of an unknown wait. */
	public static final long UNKNOWN = -1;

	/** Decision for an admitted call that holds no permits. */
	public static final Decision SPENT = Decision.admitted(Permit.spent());

	private static final int REASON_BITS = 2;

	private static final long LONGEST_WAIT = Long.MAX_VALUE >> REASON_BITS;

	private static final Reason[] REASONS = { Reason.ADMITTED, Reason.LIMIT, Reason.LINE, Reason.KEY_CAP };

	private Verdict() {
	}

	public static long limit(long waitNanos) {
		return rejected(waitNanos, 1);
	}

	public static long line(long waitNanos) {
		return rejected(waitNanos, 2);
	}

	public static long keyCap(long waitNanos) {
		return rejected(waitNanos, 3);
	}

	private static long rejected(long waitNanos, int reason) {
		return Math.min(waitNanos, LONGEST_WAIT) << REASON_BITS | reason;
	}

	/** Returns 0 if admitted, otherwise the wait or {@link #UNKNOWN}. */
	public static long waitNanos(long verdict) {
		return verdict >> REASON_BITS;
	}

	public static Reason reason(long verdict) {
		return REASONS[(int) verdict & 3];
	}

	/** Returns the verdict of two limits that must both admit. */
	public static long both(long a, long b) {
		if (a == ADMITTED || b == ADMITTED) {
			return a | b;
		}
		if (waitNanos(a) == UNKNOWN) {
			return a;
		}
		return (waitNanos(b) == UNKNOWN || waitNanos(b) > waitNanos(a)) ? b : a;
	}

}
