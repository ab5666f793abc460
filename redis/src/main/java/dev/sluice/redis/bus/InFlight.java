package dev.sluice.redis.bus;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Limit on unanswered commands, by number and by length. */
final class InFlight {

	/*
	 * Invariant: the counts cover the commands that were added and not removed. Both may
	 * exceed their limits briefly, by a command that is added and then removed as it is
	 * rejected.
	 *
	 * Attacked by RedisClusterBusTests.
	 */

	static final int MAX_COMMANDS = 10_000;

	static final long MAX_LENGTH = 16 << 20;

	private final AtomicInteger commands = new AtomicInteger();

	private final AtomicLong length = new AtomicLong();

	/** Adds a command if there is room; the first one always has room. */
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
