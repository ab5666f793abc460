package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;

/** Gate through which calls ask Redis for permits until the store is closed. */
public final class CallGate {

	/*
	 * A call has the lock for reading until it waits for Redis' answer no longer, or is
	 * known to the line that will tell it; so whoever has closed the gate knows of all
	 * calls that were let in. The lock for writing is never given back.
	 *
	 * Attacked by RedisCloseTests and RedisLineHostileTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(CallGate.class.getName());

	private final StampedLock lock = new StampedLock();

	private volatile boolean closed;

	/**
	 * Makes a call unless this is closed.
	 * @param call asks Redis
	 * @param otherwise decides without Redis
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

	/** Lets no more calls in, and waits for those that are. */
	public void close(Duration atMost) {
		this.closed = true;
		try {
			if (this.lock.tryWriteLock(atMost.toNanos(), TimeUnit.NANOSECONDS) == 0) {
				LOGGER.log(System.Logger.Level.DEBUG, "Calls are under way still after " + atMost);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
