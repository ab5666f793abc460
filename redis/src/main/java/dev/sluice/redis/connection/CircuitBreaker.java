package dev.sluice.redis.connection;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Circuit breaker that opens when half of the last ten commands have failed, and closes
 * when a command succeeds. A slow answer is a failure.
 */
final class CircuitBreaker {

	/*
	 * A bit for each of the last commands, the newest lowest, set for one that failed. It
	 * may be read while another thread moves it on: a command more or less is of no
	 * importance. While no command fails nothing is written, so that callers do not
	 * contend.
	 *
	 * An open breaker keeps callers from waiting, so it is closed by commands that are
	 * sent regardless of it. Each user of Redis sends such a command at an interval: a
	 * store its probe, a bus its heartbeat. So no state remains that only another
	 * component could end.
	 *
	 * Attacked by CircuitBreakerTests and RedisFaultSuiteTests.
	 */

	private static final int WINDOW = 10;

	private static final int TOO_MANY = 5;

	private final AtomicInteger last = new AtomicInteger();

	private volatile boolean open;

	boolean isOpen() {
		return this.open;
	}

	void succeeded() {
		if (this.open) {
			this.last.set(0);
			this.open = false;
		}
		else if (this.last.get() != 0) {
			add(0);
		}
	}

	void failed() {
		if (Integer.bitCount(add(1)) >= TOO_MANY) {
			this.open = true;
		}
	}

	private int add(int bit) {
		return this.last.updateAndGet((bits) -> (bits << 1 | bit) & (1 << WINDOW) - 1);
	}

}
