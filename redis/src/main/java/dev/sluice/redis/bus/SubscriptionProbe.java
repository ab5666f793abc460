package dev.sluice.redis.bus;

import java.util.concurrent.atomic.AtomicLong;

/** Probe that is sent as a message, to check that messages arrive. */
final class SubscriptionProbe {

	/*
	 * Probes have increasing numbers. A probe is sent, answered by the server and
	 * received as a message; it may be received before the answer. Any thread may raise
	 * the numbers, and none lowers them. New connections reset the probe, but count as
	 * silent until a probe has been received on them.
	 *
	 * Attacked by SubscriptionProbeTests and RedisClusterBusTests.
	 */

	/** Number of probes that may be in flight on a working connection. */
	private static final int UNDER_WAY = 2;

	private final AtomicLong sent = new AtomicLong();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong received = new AtomicLong();

	/** The latest probe that was received on any connection. */
	private final AtomicLong arrived = new AtomicLong();

	/** Returns the number of the next probe. */
	long next() {
		return this.sent.incrementAndGet();
	}

	void answered(long number) {
		this.answered.accumulateAndGet(number, Math::max);
	}

	void received(long number) {
		this.received.accumulateAndGet(number, Math::max);
		this.arrived.accumulateAndGet(number, Math::max);
	}

	/**
	 * Returns whether commands are answered but the messages that they publish are lost.
	 */
	boolean isDeliveryLost() {
		return this.answered.get() - this.received.get() > UNDER_WAY;
	}

	/** Returns whether commands are not answered. */
	boolean isUnanswered() {
		return this.sent.get() - this.answered.get() > UNDER_WAY;
	}

	/** Returns whether at least the last two answered probes were not received. */
	boolean isSilent() {
		return this.answered.get() - this.arrived.get() >= UNDER_WAY;
	}

	/** Resets the probe for new connections. */
	void reset() {
		long number = this.sent.get();
		answered(number);
		this.received.accumulateAndGet(number, Math::max);
	}

}
