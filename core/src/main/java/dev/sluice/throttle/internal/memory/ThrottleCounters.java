package dev.sluice.throttle.internal.memory;

import java.util.concurrent.atomic.LongAdder;

import dev.sluice.throttle.internal.line.ThreadAdder;

/** Counters of a throttle that outlive changes of its limit. */
public final class ThrottleCounters {

	/** Permits admitted and calls rejected that no living cell counts itself. */
	public final ThreadAdder admitted = new ThreadAdder();

	public final LongAdder rejected = new LongAdder();

	/** Time of the next sweep of idle keys. */
	public volatile long sweepAt;

}
