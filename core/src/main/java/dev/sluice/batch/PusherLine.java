package dev.sluice.batch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/** Threads that wait for a place in a full slot, first come first served. */
final class PusherLine {

	/*
	 * Who holds the turnstile is the first in line; the others wait for the lock, which
	 * is fair. The first shows itself before it tries for a place, and whoever frees a
	 * place looks for it afterwards, so no free place goes unseen. When it leaves, the
	 * next tries at once: one place freed wakes one, many wake as many as they serve.
	 * Attacked by OverflowTests.
	 */

	private final ReentrantLock turnstile = new ReentrantLock(true);

	private volatile @Nullable Thread first;

	boolean isEmpty() {
		return !this.turnstile.isLocked();
	}

	/**
	 * Parks until the calling thread is first and got a place, it is interrupted (which
	 * it stays), or the time has passed.
	 */
	boolean await(BooleanSupplier place, long maxNanos) {
		long start = System.nanoTime();
		try {
			if (!this.turnstile.tryLock(maxNanos, TimeUnit.NANOSECONDS)) {
				return false;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		this.first = Thread.currentThread();
		try {
			while (!place.getAsBoolean()) {
				long remaining = maxNanos - (System.nanoTime() - start);
				if (remaining <= 0 || Thread.currentThread().isInterrupted()) {
					return false;
				}
				LockSupport.parkNanos(this, remaining);
			}
			return true;
		}
		finally {
			this.first = null;
			this.turnstile.unlock();
		}
	}

	void placeFreed() {
		LockSupport.unpark(this.first);
	}

}
