package dev.sluice.redis.bus;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Bound of what is sent and not answered, by number and by length. */
final class InFlight {

	/*
	 * Invariant: what is counted was added and not removed. Both counts may be above
	 * their bounds for a moment, by what is added and taken back at once.
	 *
	 * Attacked by RedisClusterBusTests.
	 */

	static final int MAX_COMMANDS = 10_000;

	static final long MAX_LENGTH = 16 << 20;

	private final AtomicInteger commands = new AtomicInteger();

	private final AtomicLong length = new AtomicLong();

	/** Adds a command; returns whether there was room, as for the first there is. */
	boolean tryAdd(int length) {
		int commands = this.commands.incrementAndGet();
		boolean added = this.length.addAndGet(length) <= MAX_LENGTH && commands <= MAX_COMMANDS || commands == 1;
		if (!added) {
			remove(length);
		}
		return added;
	}

	void remove(int length) {
		this.commands.decrementAndGet();
		this.length.addAndGet(-length);
	}

}
