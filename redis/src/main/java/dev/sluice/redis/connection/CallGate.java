package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;

/** Gate for calls that request permits, open until the store is closed. */
public final class CallGate {

	/*
	 * A call has the read lock until it has its reply or its waiter is in the line. So
	 * when the gate is closed, each admitted call is either completed or in a line. The
	 * write lock is never released.
	 *
	 * Attacked by RedisCloseTests and RedisLineHostileTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(CallGate.class.getName());

	private final StampedLock lock = new StampedLock();

	private volatile boolean closed;

	/**
	 * Makes a call unless this is closed.
	 * @param call the call to Redis
	 * @param otherwise the decision without Redis
	 */
	public <T> T call(Supplier<T> call, Supplier<T> otherwise) {
		long stamp = this.closed ? 0 : this.lock.tryReadLock();
		if (stamp == 0) {
			return otherwise.get();
		}
		try {
			return call.get();
		}
		finally {
			this.lock.unlockRead(stamp);
		}
	}

	public boolean isClosed() {
		return this.closed;
	}

	/** Rejects later calls, and waits for the admitted ones. */
	public void close(Duration atMost) {
		this.closed = true;
		try {
			if (this.lock.tryWriteLock(atMost.toNanos(), TimeUnit.NANOSECONDS) == 0) {
				LOGGER.log(System.Logger.Level.DEBUG, "Calls are still in progress after " + atMost);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
