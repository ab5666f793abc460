package dev.sluice.websocket.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.time.NanoClock;

/**
 * Rate of the handshakes of a node: a token bucket that holds those of a second.
 */
final class HandshakeRate {

	/*
	 * "next" is the time at which the bucket is full, if no handshake comes. One step, by
	 * compare-and-set. Attacked by HandshakeRateTests.
	 */

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private final long interval;

	private final NanoClock clock;

	private final AtomicLong next;

	/**
	 * Creates a rate.
	 * @param perSecond handshakes a second; {@link Integer#MAX_VALUE} for any number
	 */
	HandshakeRate(int perSecond, NanoClock clock) {
		this.interval = (perSecond == Integer.MAX_VALUE) ? 0 : SECOND / perSecond;
		this.clock = clock;
		this.next = new AtomicLong(clock.nanoTime());
	}

	/** Returns whether a handshake may begin now. */
	boolean tryBegin() {
		if (this.interval == 0) {
			return true;
		}
		while (true) {
			long now = this.clock.nanoTime();
			long full = this.next.get();
			long from = (full - now > 0) ? full : now;
			if (from + this.interval - now > SECOND) {
				return false;
			}
			if (this.next.compareAndSet(full, from + this.interval)) {
				return true;
			}
		}
	}

}
