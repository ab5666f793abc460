package dev.sluice.redis.bus;

import java.util.concurrent.atomic.AtomicLong;

/** Probe that goes the way of all messages, and shows whether that way is open. */
final class SubscriptionProbe {

	/*
	 * Each probe has a number, higher than that of the one before. It was sent, then
	 * answered by the server, then heard as a message, or heard before the answer. All
	 * numbers are only ever raised, by any thread. Other connections begin anew, but
	 * nothing is known of their way before a probe was heard on it.
	 *
	 * Attacked by SubscriptionProbeTests and RedisClusterBusTests.
	 */

	/** How many probes may be under way without anything being wrong. */
	private static final int UNDER_WAY = 2;

	private final AtomicLong sent = new AtomicLong();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong heard = new AtomicLong();

	/** The latest that was heard on whichever connection. */
	private final AtomicLong arrived = new AtomicLong();

	/** Returns the number of the next probe. */
	long next() {
		return this.sent.incrementAndGet();
	}

	void answered(long number) {
		this.answered.accumulateAndGet(number, Math::max);
	}

	void heard(long number) {
		this.heard.accumulateAndGet(number, Math::max);
		this.arrived.accumulateAndGet(number, Math::max);
	}

	/**
	 * Returns whether commands are answered, but the messages that they send are lost.
	 */
	boolean isDeaf() {
		return this.answered.get() - this.heard.get() > UNDER_WAY;
	}

	/** Returns whether commands are not answered. */
	boolean isUnanswered() {
		return this.sent.get() - this.answered.get() > UNDER_WAY;
	}

	/** Returns whether nothing was heard since two probes or more. */
	boolean isSilent() {
		return this.answered.get() - this.arrived.get() >= UNDER_WAY;
	}

	/** Begins anew, on other connections. */
	void reset() {
		long number = this.sent.get();
		answered(number);
		this.heard.accumulateAndGet(number, Math::max);
	}

}
