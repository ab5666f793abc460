package dev.sluice.jdbc.database;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Circuit breaker that opens when half of the last ten statements have failed; a slow
 * answer is a failure. Once open, it stays open until a probe succeeds.
 */
final class CircuitBreaker {

	/*
	 * A bit for each of the last statements, the newest lowest, set for one that failed.
	 * It may be read while another thread moves it on: a statement more or less is of no
	 * importance. While all is well nothing is written, so that callers do not meet here.
	 */

	private static final int WINDOW = 10;

	private static final int TOO_MANY = 5;

	private final AtomicInteger last = new AtomicInteger();

	private volatile boolean open;

	boolean isOpen() {
		return this.open;
	}

	void succeeded() {
		if (this.last.get() != 0) {
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

	void close() {
		this.last.set(0);
		this.open = false;
	}

}
