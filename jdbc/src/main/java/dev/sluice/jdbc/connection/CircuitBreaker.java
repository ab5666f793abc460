package dev.sluice.jdbc.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Circuit breaker that opens when the database cannot be used, or when half of the last
 * ten statements had no answer in time, and closes when a probe succeeds.
 */
final class CircuitBreaker {

	/*
	 * A bit for each of the last statements, the newest lowest, set for one without an
	 * answer in time. While no statement fails nothing is written, so that threads do not
	 * contend. A probe may not see what calls fail of: a breaker that opens soon after it
	 * was closed stays open for twice as long, so that attempts stay rare.
	 *
	 * Attacked by CircuitBreakerTests and JdbcFaultSuiteTests.
	 */

	private static final int WINDOW = 10;

	private static final int TOO_MANY = 5;

	private static final long SHORTEST_PAUSE = Duration.ofMillis(200).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final AtomicInteger last = new AtomicInteger();

	private volatile @Nullable Throwable cause;

	/** The state below is guarded by this. */
	private long pause = SHORTEST_PAUSE;

	private long openedAt;

	private long closedAt = System.nanoTime() - LONGEST_PAUSE;

	boolean isOpen() {
		return this.cause != null;
	}

	/** Returns the failure that has opened the breaker, or {@code null} if closed. */
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
	}

	synchronized void open(Throwable failure) {
		if (this.cause == null) {
			this.openedAt = System.nanoTime();
			boolean soon = this.openedAt - this.closedAt < LONGEST_PAUSE;
			this.pause = soon ? Math.min(2 * this.pause, LONGEST_PAUSE) : SHORTEST_PAUSE;
			this.cause = failure;
		}
		else if (SqlStates.hasState(failure)) {
			this.cause = failure;
		}
	}

	/** Returns whether the breaker has been open for long enough. */
	synchronized boolean mayProbe() {
		return this.cause != null && System.nanoTime() - this.openedAt >= this.pause;
	}

	/** A probe has succeeded. */
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
