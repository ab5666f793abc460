package dev.sluice.throttle;

import java.util.concurrent.atomic.LongAdder;

/** What a throttle keeps over all changes and beside its cells. */
final class Tally {

	/** Permits admitted and calls rejected that no living cell counts itself. */
	final ThreadAdder admitted = new ThreadAdder();

	final LongAdder rejected = new LongAdder();

	/** When somebody should look for idle keys again. */
	volatile long sweepAt;

}
