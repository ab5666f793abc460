package dev.sluice.throttle;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a throttle that outlive changes of its limit. */
final class ThrottleCounters {

	/** Permits admitted and calls rejected that no living cell counts itself. */
	final ThreadAdder admitted = new ThreadAdder();

	final LongAdder rejected = new LongAdder();

	/** When somebody should look for idle keys again. */
	volatile long sweepAt;

}
