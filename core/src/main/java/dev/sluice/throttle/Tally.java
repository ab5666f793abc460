package dev.sluice.throttle;

import java.util.concurrent.atomic.LongAdder;

/** What a throttle counted that its living cells do not count themselves. */
final class Tally {

	final LongAdder admitted = new LongAdder();

	final LongAdder rejected = new LongAdder();

}
