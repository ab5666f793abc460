package dev.sluice.jdbc.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Circuit breaker that opens when the database cannot be used, or when half of the last
 * ten statements had no answer in time. It closes when a probe succeeds.
 */
final class CircuitBreaker {

	/*
	 * Each bit of "last" stands for one of the last statements, the lowest for the
	 * newest. A set bit marks a statement without an answer in time. While no statement
	 * fails, no thread writes the bits, so threads do not contend. A probe may succeed
	 * while calls fail: a breaker that opens soon after it was closed stays open for
	 * twice as long, so that attempts stay rare.
	 *
	 * Attacked by CircuitBreakerTests and JdbcFaultSuiteTests.
	 */

	private static final int WINDOW = 10;

	private static final int TOO_MANY = 5;

	private static final long SHORTEST_PAUSE = Duration.ofMillis(200).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final AtomicInteger last = new AtomicInteger();

	private volatile @Nullable Throwable cause;

	/** Time from opening to the first probe; guarded by this, as the fields below. */
	private long pause = SHORTEST_PAUSE;

	private long openedAt;

	private long closedAt = System.nanoTime() - LONGEST_PAUSE;

	boolean isOpen() {
		return this.cause != null;
	}

	/** Returns the failure that opened the breaker, or {@code null} if it is closed. */
	@Nullable Throwable cause() {
		return this.cause;
	}

	void succeeded() {
		if (this.last.get() != 0) {
			add(0);
		}
	}

	void timedOut(Throwable failure) {
		if (Integer.bitCount(add(1)) >= TOO_MANY) {
			open(failure);
		}
		else {
			explain(failure);
		}
	}

	synchronized void open(Throwable failure) {
		if (this.cause == null) {
			this.openedAt = System.nanoTime();
			boolean soon = this.openedAt - this.closedAt < LONGEST_PAUSE;
			this.pause = soon ? Math.min(2 * this.pause, LONGEST_PAUSE) : SHORTEST_PAUSE;
			this.cause = failure;
		}
		else {
			explain(failure);
		}
	}

	/** Replaces the cause of an open breaker by a failure that has a reason. */
	synchronized void explain(Throwable failure) {
		if (this.cause != null && SqlStates.hasState(failure)) {
			this.cause = failure;
		}
	}

	/** Returns whether the breaker has been open for long enough to probe. */
	synchronized boolean mayProbe() {
		return this.cause != null && System.nanoTime() - this.openedAt >= this.pause;
	}

	/** Closes the breaker after a probe has succeeded. */
	synchronized void close() {
		if (this.cause != null) {
			this.cause = null;
			this.last.set(0);
			this.closedAt = System.nanoTime();
		}
	}

	private int add(int bit) {
		return this.last.updateAndGet((bits) -> (bits << 1 | bit) & (1 << WINDOW) - 1);
	}

}
